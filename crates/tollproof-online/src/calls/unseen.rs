//! Since when looks have seen nothing of what was sent: by the clock, and by the time since the machine was started, which
//! no change of the clock moves.

use jiff::{SignedDuration, Timestamp};

/// The time at which a look saw nothing for the first time.
pub(crate) struct UnseenSince {
    looked: Timestamp,
    uptime: Option<Uptime>,
}

/// The time since a machine was started.
struct Uptime {
    /// Identifies the start of the machine.
    boot: String,
    seconds: i64,
}

impl UnseenSince {
    pub(crate) fn now(looked: Timestamp) -> Self {
        Self { looked, uptime: Uptime::now() }
    }

    pub(crate) fn looked(&self) -> Timestamp {
        self.looked
    }

    /// Reads what [`UnseenSince::to_text`] wrote.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let looked = words.next()?.parse().ok()?;
        let uptime = words.next().zip(words.next());
        let uptime = uptime.and_then(|(boot, seconds)| {
            Some(Uptime { boot: boot.to_owned(), seconds: seconds.parse().ok()? })
        });
        Some(Self { looked, uptime })
    }

    pub(crate) fn to_text(&self) -> String {
        let uptime = self.uptime.as_ref().map(|uptime| format!(" {} {}", uptime.boot, uptime.seconds));
        format!("{}{}", self.looked, uptime.unwrap_or_default())
    }

    /// The time from which a second look may say that nothing arrived: after a pause that passed by both clocks.
    pub(crate) fn until(&self, now: Timestamp, pause: SignedDuration) -> Timestamp {
        let by_clock = self.looked.checked_add(pause).unwrap_or(Timestamp::MAX);
        // The machine may have been set back to an earlier state, or show the time of a container.
        let is_later = |(then, now): &(&Uptime, Uptime)| then.boot == now.boot && then.seconds <= now.seconds;
        let passed = self.uptime.as_ref().zip(Uptime::now()).filter(is_later);
        let passed = passed.map(|(then, now)| SignedDuration::from_secs(now.seconds - then.seconds));
        let by_uptime = passed.and_then(|passed| now.checked_add(pause - passed).ok());
        by_uptime.map_or(by_clock, |by_uptime| by_uptime.max(by_clock))
    }
}

impl Uptime {
    /// The time since this machine was started, where the system shows it.
    fn now() -> Option<Self> {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned();
        let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
        Some(Self { boot, seconds: uptime.split('.').next()?.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_jumps_ahead_ends_no_pause() {
        let (pause, start) = (SignedDuration::from_mins(5), Timestamp::UNIX_EPOCH);
        let since = UnseenSince::now(start);
        let read = UnseenSince::parse(&since.to_text()).expect("it was written");
        assert_eq!(read.looked(), start);
        let ahead = start + SignedDuration::from_hours(1);
        if since.uptime.is_some() {
            assert!(read.until(ahead, pause) > ahead);
        }
        // On another machine, after a new start or after it was set back, only the clock is known.
        let boot = since.uptime.as_ref().map_or("", |uptime| &uptime.boot);
        for other in ["other 17".to_owned(), format!("{boot} {}", i64::MAX)] {
            let other = UnseenSince::parse(&format!("{start} {other}")).expect("it is one");
            assert_eq!(other.until(ahead, pause), start + pause);
        }
        assert!(UnseenSince::parse("yesterday").is_none());
    }
}
