//! The time that a text gives for changes, in English, French or Spanish.

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use tollproof_data::text::words::tokenize::fold_letter;

/// The time that a text gives for changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deadline {
    /// The last day, which ends in UTC.
    Day(Date),
    /// The time after the answer, of a text that does not say when it was sent: a number and its unit, where that is counted.
    Within(String, Option<(usize, Unit)>),
}

/// A unit of the time that a text gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Hours,
    Days,
    WorkingDays,
    Weeks,
}

/// Words before the last day.
const UNTIL: &str = "until by than deadline due expiration expires closes ends hasta tardar limite cierra vence jusqu'au d'ici \
    tard ferme expire";
/// Words after the last day.
const LATEST: &str = "latest";
/// Words that make a day after one of [`BEFORE`] the first one, if both kinds are before it, and the most words between.
const NOT: &str = "not cannot can't don't won't ne pas no";
const SENT_AGAIN: &str = "again resubmit resubmitted resent renvoyer renvoyee renvoye soumettre soumise enviar reenviar reenviarse";
const NEAR: usize = 8;
/// Words before the first day on which it is too late.
const BEFORE: &str = "before antes avant";
/// The English ones of both: other languages write the day before the month.
const ENGLISH: &str = "until by than deadline due expiration expires closes ends before within from of on";
/// Words that may be between such a word and its date, beside [`WEEKDAYS`].
const BETWEEN: &str = "the end of day date is on next this coming cette ce prochain prochaine esta este proximo proxima that \
    el la le del de du fin dia jour au eod close business close";
const WEEKDAYS: &str = "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun lundi mardi \
    mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo lun mer jeu ven sam dim mie jue \
    vie sab dom";
/// Words for the end of a time that one of [`TIME`] names before them.
const ENDED: &str = "ended expired closed terminee cerro expire vencio termino";
const TIME: &str = "window period time periode delai plazo periodo";
/// Words before a number of days; after "you", also those of [`HAVE`].
const WITHIN: &str = "within sous dentro dans";
const HAVE: &str = "have got get avez avons disposez tiene tienen tenemos dispone";
/// Words for a mail, after a number of days that is counted from it, and names of the line of its head that has its day.
const MAIL: &str = "message mail email e-mail notice letter courriel lettre avis correo mensaje carta aviso";
const SENT: [&str; 5] = ["date", "sent", "envoyé", "fecha", "enviado"];
/// Units of time, and words that may be before them.
const UNITS: &str =
    "hour hours day days week weeks heures jour jours semaine semaines horas dia dias semana semanas";
const KINDS: &str = "business working calendar full more";
/// The same after a unit.
const KINDS_AFTER: &str = "ouvrables ouvres habiles laborables";
/// Days and times without a number, the end of which may be meant.
const NAMED: &str = "tomorrow tonight today week month demain semaine mois manana hoy semana mes";
/// The other kinds of days are not counted.
const COUNTED: &str = "calendar full";
const NUMBERS: [&str; 11] = [
    "zero",
    "one un uno",
    "two deux dos",
    "three trois tres",
    "four quatre cuatro",
    "five cinq cinco",
    "six seis",
    "seven sept siete",
    "eight huit ocho",
    "nine neuf nueve",
    "ten dix diez",
];
/// The names of the months. Their first three letters or more are abbreviations.
const MONTHS: [&str; 12] = [
    "january janvier enero",
    "february fevrier febrero",
    "march mars marzo",
    "april avril abril",
    "may mai mayo",
    "june juin junio",
    "july juillet julio",
    "august aout agosto",
    "september septembre septiembre",
    "october octobre octubre",
    "november novembre noviembre",
    "december decembre diciembre",
];

impl Deadline {
    /// The first day in a text, or else the first number of days. `now` chooses the year if it is not written, and the order of day and month if both may be.
    pub(super) fn of(text: &str, now: Option<Timestamp>) -> Option<Self> {
        let today = now.map(|now| now.to_zoned(TimeZone::UTC).date());
        let mut heads = text.lines().rev().filter_map(|line| line.split_once(':'));
        let head = heads.find(|(name, _)| SENT.contains(&name.trim().to_lowercase().as_str()));
        let sent = head.and_then(|(_, date)| {
            let dates = Dates::of(date, today, None);
            dates.date(dates.past_fillers(0), true)
        });
        let dates = Dates::of(text, today, sent);
        let all = 0..dates.words.len();
        let day = all.clone().find_map(|at| dates.last_day(at));
        day.or_else(|| all.clone().find_map(|at| dates.within(at))).or_else(|| Self::in_table(text, today))
    }

    /// Whether a text gives a time for changes.
    pub(super) fn is_in(text: &str) -> bool {
        // Any day will do for the year of a date that has none.
        Self::of(text, Some(Timestamp::UNIX_EPOCH)).is_some()
    }

    /// The first date in a table that is below words such as "Fix by".
    fn in_table(text: &str, today: Option<Date>) -> Option<Self> {
        let mut rows = text.lines().filter(|line| line.starts_with('|')).map(|line| line.split('|'));
        let head: Vec<&str> = rows.next()?.collect();
        let mut cells =
            rows.flat_map(|row| head.iter().zip(row)).filter(|(name, _)| name.len() < LONGEST_NAME);
        cells.find_map(|(name, cell)| {
            let both = format!("{name} {cell}");
            let dates = Dates::of(&both, today, None);
            (0..dates.words.len()).find_map(|at| dates.last_day(at))
        })
    }
}

/// A longer cell is not the name of a column, in bytes.
const LONGEST_NAME: usize = 60;

struct Dates<'t> {
    written: Vec<&'t str>,
    /// The same in lower case and without accents.
    words: Vec<String>,
    today: Option<Date>,
    /// The day of the mail, the last one if it has others in it.
    sent: Option<Date>,
}

impl<'t> Dates<'t> {
    fn of(text: &'t str, today: Option<Date>, sent: Option<Date>) -> Self {
        let bare = |piece: &'t str| piece.trim_matches(|letter: char| !letter.is_alphanumeric());
        let written: Vec<&str> = text.split_whitespace().map(bare).collect();
        let folded = |word: &&str| {
            let mut folded = String::new();
            word.chars().for_each(|letter| fold_letter(letter, &mut folded));
            folded.replace('\u{2019}', "'")
        };
        let words = written.iter().map(folded).collect();
        Self { written, words, today, sent }
    }

    fn is(&self, at: usize, known: &str) -> bool {
        self.words.get(at).is_some_and(|word| known.split_whitespace().any(|known| known == word))
    }

    /// The day after a word such as "until".
    fn last_day(&self, at: usize) -> Option<Deadline> {
        if self.is(at, LATEST) {
            return (at.saturating_sub(7)..at)
                .find_map(|at| self.date(at, self.is(at.saturating_sub(1), ENGLISH)))
                .map(Deadline::Day);
        }
        let is_before = self.is(at, BEFORE);
        let is_end = || self.is(at, ENDED) && (at.saturating_sub(8)..at).any(|at| self.is(at, TIME));
        if !is_before && !self.is(at, UNTIL) && !is_end() {
            return None;
        }
        // "It cannot be sent again before December 5" gives no last day.
        let has = |known| (at.saturating_sub(NEAR)..at).any(|at| self.is(at, known));
        if is_before && has(NOT) && has(SENT_AGAIN) && !has("if unless si") {
            return None;
        }
        let next = self.past_fillers(at + 1);
        if self.is(next, NAMED) {
            return Some(Deadline::Within(self.written[at..=next].join(" "), None));
        }
        let Some(day) = self.date(next, self.is(at, ENGLISH)) else {
            let weekday = (at + 1..next).rfind(|day| self.is(*day, WEEKDAYS))?;
            return Some(Deadline::Within(self.written[at..=weekday].join(" "), None));
        };
        // "Before December 3, 11:41 PM" is on that day.
        let is_clock =
            |word: &String| word.split_once(':').is_some_and(|(hour, _)| hour.parse::<u8>().is_ok());
        let has_time = self.words.iter().skip(next).take(6).any(is_clock);
        Some(Deadline::Day(if is_before && !has_time { day.yesterday().ok()? } else { day }))
    }

    /// A number of days after a word such as "within", counted from the date that follows, or from the mail if it says so; the
    /// last day, if that follows.
    fn within(&self, at: usize) -> Option<Deadline> {
        let number = self.number(at)?;
        let unit = if self.is(at + 1, KINDS) { at + 2 } else { at + 1 };
        let before = at.saturating_sub(3)..at;
        let has = |known| before.clone().any(|at| self.is(at, known));
        let sent = self.sent.filter(|_| (unit + 1..unit + 9).any(|at| self.is(at, MAIL)));
        let is_readers = has("you you've vous tiene tienen dispone") || sent.is_some();
        if !self.is(unit, UNITS) || !(has(WITHIN) || has(HAVE) && is_readers) {
            return None;
        }
        if let Some(named) = (unit + 1..unit + 5).find_map(|at| self.last_day(at)) {
            return Some(named);
        }
        let is_english = before.clone().chain(unit..unit + 1).any(|at| self.is(at, "within you days day"));
        let from = (unit + 1..unit + 6).find_map(|at| self.date(at, is_english)).or(sent);
        let (days, hours) = match self.words[unit].as_str() {
            weeks if weeks.starts_with("week") || weeks.starts_with("sem") => (number * 7, 0),
            hours if hours.starts_with('h') => (number / 24, number % 24),
            _ => (number, 0),
        };
        let end = if self.is(unit + 1, KINDS_AFTER) { unit + 1 } else { unit };
        let is_counted = (unit == at + 1 || self.is(at + 1, COUNTED)) && end == unit && hours == 0;
        match from.filter(|_| is_counted) {
            Some(from) => Some(Deadline::Day(from.checked_add(days.days()).ok()?)),
            None => {
                let is_working = self.is(unit, "day days jour jours dia dias")
                    && (self.is(at + 1, "business working") || end > unit);
                let counted = match self.words[unit].as_str() {
                    weeks if weeks.starts_with("week") || weeks.starts_with("sem") => Unit::Weeks,
                    hours if hours.starts_with('h') => Unit::Hours,
                    _ if is_working => Unit::WorkingDays,
                    _ => Unit::Days,
                };
                Some(Deadline::Within(
                    self.written[at..=end].join(" "),
                    usize::try_from(number).ok().map(|number| (number, counted)),
                ))
            }
        }
    }

    fn past_fillers(&self, at: usize) -> usize {
        (at..at + 6)
            .find(|at| {
                !self.is(*at, BETWEEN)
                    && !self.is(*at, WEEKDAYS)
                    && self.words.get(*at).is_none_or(|word| !word.is_empty())
            })
            .unwrap_or(at)
    }

    /// A number of at most three digits, or a word for one.
    fn number(&self, at: usize) -> Option<i64> {
        let word = self.words.get(at)?;
        let digits = word.len() <= 3;
        let is_named = |names: &&str| names.split(' ').any(|name| name == word);
        let named = || NUMBERS.iter().position(is_named).and_then(|at| i64::try_from(at).ok());
        word.parse().ok().filter(|_| digits).or_else(named)
    }

    /// The date that begins at a word: `2026-12-04`, `12/04/2026`, `4.12.2026`, `Dec. 4, 2026`, `4 de diciembre`.
    fn date(&self, at: usize, is_english: bool) -> Option<Date> {
        let word = self.words.get(at)?;
        if let Some(day) = word.get(..10).and_then(|day| day.parse().ok()) {
            return Some(day);
        }
        if let [first, second, year] = *word.split(['/', '.', '-']).collect::<Vec<_>>() {
            let (first, second) = (first.parse().ok()?, second.parse().ok()?);
            let year = year.parse().ok().filter(|year| (2000..2200).contains(year))?;
            let (american, other) =
                (Date::new(year, first, second).ok(), Date::new(year, second, first).ok());
            let is_american = is_english && word.contains('/');
            let (own, other) = if is_american { (american, other) } else { (other, american) };
            let is_ahead = |day: &Date| self.today.is_none_or(|today| *day >= today);
            return own.filter(is_ahead).or(other.filter(is_ahead)).or(own).or(other);
        }
        let next = self.past_fillers(at + 1);
        let (day, month) = match self.month(at) {
            Some(month) => (self.day(next)?, month),
            None => (self.day(at)?, self.month(next)?),
        };
        let written = self.words.get(self.past_fillers(next + 1)).and_then(|word| word.parse().ok());
        if let Some(year) = written.filter(|year| (2000..2200).contains(year)) {
            return Date::new(year, month, day).ok();
        }
        let today = self.today?;
        let this_year = Date::new(today.year(), month, day).ok()?;
        let is_long_ago = this_year.checked_add(6.months()).is_ok_and(|later| later < today);
        if is_long_ago { Date::new(today.year() + 1, month, day).ok() } else { Some(this_year) }
    }

    fn day(&self, at: usize) -> Option<i8> {
        let word = self.words.get(at)?.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        word.parse().ok().filter(|day| (1..=31).contains(day))
    }

    fn month(&self, at: usize) -> Option<i8> {
        let word = self.words.get(at).filter(|word| word.len() >= 3)?;
        let is_it = |names: &&str| names.split(' ').any(|name| name.starts_with(word.as_str()));
        MONTHS.iter().position(is_it).and_then(|at| i8::try_from(at + 1).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_read_in_the_ways_that_people_write_them() {
        let now = Some("2026-11-29T12:00:00Z".parse().expect("a time"));
        let day = |text: &str| match Deadline::of(text, now) {
            Some(Deadline::Day(day)) => day.to_string(),
            Some(Deadline::Within(days, _)) => days,
            None => String::new(),
        };
        for (text, wanted) in [
            ("You have until Friday, December 4, 2026 to edit it; after that it is closed.", "2026-12-04"),
            ("Please fix it by end of day Dec. 4.", "2026-12-04"),
            ("until the 4th of December 2026", "2026-12-04"),
            ("bis zum 4.12.2026, or until 4.12.2026", "2026-12-04"),
            ("Merci de corriger avant le 04/12/2026.", "2026-12-03"),
            ("Vous pouvez corriger jusqu\u{2019}au vendredi 4 décembre 2026.", "2026-12-04"),
            ("Puede corregirlo hasta el 04/12/2026.", "2026-12-04"),
            ("hasta el viernes 4 de diciembre de 2026", "2026-12-04"),
            ("antes del 6 de diciembre", "2026-12-05"),
            ("Edit it before 12/05/2026.", "2026-12-04"),
            ("no later than 2026-12-08T00:21:33Z", "2026-12-08"),
            ("Deadline: January 3", "2027-01-03"),
            ("Until | 2026-12-05", "2026-12-05"),
            ("within 5 days of this mail (26 November 2026)", "2026-12-01"),
            ("you get seven days from 24 November 2026", "2026-12-01"),
            ("Tiene 5 días (until December 4) para corregirlo.", "2026-12-04"),
            ("You have 5 days, until December 4, 2026, to edit it.", "2026-12-04"),
            ("You have 7 days to edit it.", "7 days"),
            ("within 5 business days of November 26, 2026", "5 business days"),
            ("within 48 hours", "48 hours"),
            ("dans les 7 jours", "7 jours"),
            ("Tiene 7 días para corregirlo.", "7 días"),
            (
                "Date: Mon, 23 Nov 2026 09:14:05 -0500\n\nYou have seven days from the date of this message.",
                "2026-11-30",
            ),
            (
                "Sent: November 27, 2026 3:18 PM\n\nWe have ten calendar days from this mail to fix it.",
                "2026-12-07",
            ),
            (
                "Date : 25 novembre 2026\n\nVous avez dix jours à partir de la date de ce courriel.",
                "2026-12-05",
            ),
            (
                "Date: 26 Nov 2026\nDate: 24 Nov 2026\n\nIt must be here within seven days of this letter.",
                "2026-12-01",
            ),
            ("Date: 26 Nov 2026\n\nwithin 5 business days of this mail", "5 business days"),
            ("Date: 26 Nov 2026\n\nPlease answer within 7 days.", "7 days"),
            ("Date: 26 Nov 2026\n\nWe need it within 48 hours of this message.", "2026-11-28"),
            ("Date: 26 Nov 2026\n\nWe need it within 36 hours of this message.", "36 hours"),
            ("Fecha: jue, 19 nov 2026\n\nTiene cinco días a partir de este aviso.", "2026-11-24"),
            ("Date : ven. 20 nov. 2026\n\nVous avez six jours suivant ce courriel.", "2026-11-26"),
            (
                "| Field | Note | Answer by |\n|---|---|---|\n| Name | OK | |\n| Box | ticked | Dec 9, 2026 |",
                "2026-12-09",
            ),
            (
                "| Champ | Note | Au plus tard |\n|---|---|---|\n| Nom | faux | 9 décembre 2026 |",
                "2026-12-09",
            ),
            ("El plazo para cambiarla terminó el 18 de noviembre.", "2026-11-18"),
            ("The time to edit it ended on November 18.", "2026-11-18"),
            ("La période de modification a expiré le 18 novembre.", "2026-11-18"),
            ("within 7 days of this notice", "7 days"),
            ("Please have it back to us before next Friday (4 December).", "2026-12-03"),
            ("The window closes on December 5 at noon Pacific.", "2026-12-05"),
            ("The edit window closed on November 23, 2026.", "2026-11-23"),
            ("Edit the request before December 3, 2026 11:41 PM UTC.", "2026-12-03"),
            ("You've got 7 days from today.", "7 days"),
            ("It must be here on the 4th of December at the latest.", "2026-12-04"),
            ("Send it by tomorrow.", "by tomorrow"),
            ("Don't miss it: please edit it before December 5.", "2026-12-04"),
            ("If you do not fix it before December 5, it is closed.", "2026-12-04"),
            ("Please send me the updated info by Friday and I'll resubmit.", "by Friday"),
            ("You have until the end of this week.", "until the end of this week"),
            ("Tiene 5 días hábiles para corregirlo.", "5 días hábiles"),
            (
                "Sent: November 27, 2026\n\nDans les 5 jours ouvrables suivant ce courriel.",
                "5 jours ouvrables",
            ),
        ] {
            assert_eq!(day(text), wanted, "{text}");
        }
        for text in [
            "A decision takes five days.",
            "We have 7 days to look at it.",
            "rejected by Twilio on 2026-11-20",
            "until the website is live, 2026-12-04 at most",
            "do not send it before the website is live",
            "Weekly until the campaign ends.",
            "La demande ne peut pas être renvoyée avant le 5 décembre.",
            "It cannot be sent again before December 5.",
            "Its registration expired on November 18.",
            "| Field | Note |\n|---|---|\n| Box | seen on Nov 18, 2026 |",
        ] {
            assert_eq!(day(text), "", "{text}");
        }
    }
}
