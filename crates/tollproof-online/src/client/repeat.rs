//! Whether a request is sent again, and after which pause.

use std::time::Duration;

use super::answer::Sent;
use super::options::ClientOptions;
use super::request::Repeat;

/// The tries of one request.
pub(crate) struct Tries<'o> {
    options: &'o ClientOptions,
    repeat: Repeat,
    /// The number of tries.
    count: u32,
    /// Whether a try was lost.
    lost: Option<String>,
}

impl<'o> Tries<'o> {
    pub(super) fn new(options: &'o ClientOptions, repeat: Repeat) -> Self {
        Self { options, repeat, count: 0, lost: None }
    }

    /// The pause before the next try, after one that ended so; `None` if it was the last one. `left` is the time that all
    /// further tries may take.
    pub(crate) fn next(&mut self, sent: &Sent, left: Duration) -> Option<Duration> {
        self.count += 1;
        let is_free = self.repeat != Repeat::Once;
        let (again, asked) = match sent {
            Sent::NotSent(_) => (true, None),
            Sent::Lost(_) => (is_free, None),
            Sent::Answer(answer) => {
                (answer.status == 429 || (is_free && answer.status >= 500), answer.retry_after)
            }
        };
        let pause = asked.unwrap_or_else(|| self.growing());
        if !again || self.count >= self.options.tries || pause > self.options.max_pause || pause >= left {
            return None;
        }
        match sent {
            Sent::Lost(why) => self.lost = Some(why.clone()),
            // The server may have failed after it did what was asked.
            Sent::Answer(answer) if answer.status >= 500 => {
                self.lost = Some(format!("the server answered with status {}", answer.status));
            }
            Sent::Answer(_) | Sent::NotSent(_) => {}
        }
        Some(pause)
    }

    /// The request's outcome, by its last try: what one try lost, no other makes unsent.
    pub(crate) fn result(self, last: Sent) -> Sent {
        match (self.lost, last) {
            (None, last) => last,
            (Some(why), Sent::NotSent(_)) => Sent::Lost(why),
            (Some(why), Sent::Answer(answer)) if answer.status == 429 && self.repeat == Repeat::Keyed => {
                Sent::Lost(why)
            }
            (Some(_), Sent::Answer(mut answer)) => {
                answer.after_lost = true;
                Sent::Answer(answer)
            }
            (Some(_), lost @ Sent::Lost(_)) => lost,
        }
    }

    /// Half of the pause is random, so that many clients do not come back together.
    fn growing(&self) -> Duration {
        let doubled = self.options.pause.saturating_mul(1 << (self.count - 1).min(16));
        let whole = doubled.min(self.options.max_pause);
        let mut random = [0; 2];
        // Without randomness, the pause is the longest.
        let part = getrandom::fill(&mut random).map_or(u16::MAX, |()| u16::from_le_bytes(random));
        whole / 2 + (whole / 2).mul_f64(f64::from(part) / f64::from(u16::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer::HttpAnswer;
    use super::*;

    const LONG: Duration = Duration::from_secs(180);

    fn answer(status: u16, retry_after: Option<&str>) -> Sent {
        let headers = retry_after.map(|delay| ("retry-after".to_owned(), delay.to_owned()));
        Sent::Answer(HttpAnswer::new(status, Vec::new(), headers.into_iter().collect()))
    }

    fn lost() -> Sent {
        Sent::Lost("cut".to_owned())
    }

    fn refused() -> Sent {
        Sent::NotSent("refused".to_owned())
    }

    #[test]
    fn only_what_the_provider_did_not_take_is_sent_again() {
        let options = ClientOptions::default();
        let is_repeated = |repeat, sent: &Sent| Tries::new(&options, repeat).next(sent, LONG).is_some();
        for (sent, once, free) in [
            (refused(), true, true),
            (lost(), false, true),
            (answer(429, None), true, true),
            (answer(429, Some("1")), true, true),
            (answer(500, None), false, true),
            (answer(503, Some("1")), false, true),
            (answer(200, None), false, false),
            (answer(301, None), false, false),
            (answer(400, None), false, false),
            (answer(408, None), false, false),
            (answer(409, None), false, false),
        ] {
            assert_eq!(is_repeated(Repeat::Once, &sent), once, "{sent:?}");
            assert_eq!(is_repeated(Repeat::Read, &sent), free, "{sent:?}");
            assert_eq!(is_repeated(Repeat::Keyed, &sent), free, "{sent:?}");
        }
    }

    #[test]
    fn pauses_grow_and_have_limits() {
        let options = ClientOptions::default();
        let mut tries = Tries::new(&options, Repeat::Read);
        let first = tries.next(&lost(), LONG).expect("it is repeated");
        let second = tries.next(&lost(), LONG).expect("it is repeated");
        assert!((250..=500).contains(&first.as_millis()), "{first:?}");
        assert!((500..=1000).contains(&second.as_millis()), "{second:?}");
        assert_eq!(tries.next(&lost(), LONG), None);
        let pause = |value, left| Tries::new(&options, Repeat::Once).next(&answer(429, Some(value)), left);
        assert_eq!(pause("60", LONG), Some(Duration::from_secs(60)));
        assert_eq!(pause("61", LONG), None);
        assert_eq!(pause("50", Duration::from_secs(50)), None);
    }

    #[test]
    fn what_was_lost_stays_lost() {
        let options = ClientOptions::default();
        let result = |repeat, last: Sent| {
            let mut tries = Tries::new(&options, repeat);
            tries.next(&lost(), LONG).expect("it is repeated");
            tries.next(&last, LONG);
            tries.result(last)
        };
        assert_eq!(result(Repeat::Keyed, refused()), lost());
        assert_eq!(result(Repeat::Keyed, answer(429, None)), lost());
        let mut tries = Tries::new(&options, Repeat::Keyed);
        tries.next(&answer(500, None), LONG).expect("it is repeated");
        tries.next(&refused(), LONG);
        assert!(matches!(tries.result(refused()), Sent::Lost(_)), "what failed may have arrived");
        for (repeat, status) in [(Repeat::Keyed, 200), (Repeat::Keyed, 409), (Repeat::Read, 429)] {
            let Sent::Answer(answer) = result(repeat, answer(status, None)) else { panic!("an answer came") };
            assert!(answer.after_lost && answer.status == status);
        }
        let only = Tries::new(&options, Repeat::Read).result(answer(200, None));
        assert!(matches!(only, Sent::Answer(answer) if !answer.after_lost));
    }
}
