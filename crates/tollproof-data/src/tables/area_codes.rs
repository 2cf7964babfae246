//! Area codes of the North American Numbering Plan and the kind of place each one serves.

include!(concat!(env!("OUT_DIR"), "/area_codes.rs"));

/// The kind of an area code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// A place in the United States, its territories included.
    UnitedStates,
    /// A place in Canada.
    Canada,
    /// A place in another country of the plan, such as Jamaica.
    Elsewhere,
    /// Toll-free numbers: the called party pays.
    TollFree,
    /// Personal, government, carrier and premium-rate numbers without a location.
    NonGeographic,
}

/// The kind of a three-digit area code; `None` if it is not assigned.
pub fn area(code: u16) -> Option<Area> {
    let at = AREAS.binary_search_by_key(&code, |&(known, _)| known).ok()?;
    Some(AREAS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_codes() {
        assert_eq!(area(212), Some(Area::UnitedStates));
        assert_eq!(area(787), Some(Area::UnitedStates));
        assert_eq!(area(621), Some(Area::UnitedStates));
        assert_eq!(area(416), Some(Area::Canada));
        assert_eq!(area(257), Some(Area::Canada));
        assert_eq!(area(876), Some(Area::Elsewhere));
        assert_eq!(area(500), Some(Area::NonGeographic));
        assert_eq!(area(600), Some(Area::NonGeographic));
        for code in [800, 833, 844, 855, 866, 877, 888] {
            assert_eq!(area(code), Some(Area::TollFree));
        }
    }

    #[test]
    fn unassigned_codes() {
        for code in [0, 199, 211, 555, 899, 911, 999, 1212] {
            assert_eq!(area(code), None, "{code}");
        }
    }
}
