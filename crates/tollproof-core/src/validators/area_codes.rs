//! Area codes of the North American Numbering Plan and the kind of place each one serves (libphonenumber 9.0 metadata, and announcements of public utility commissions for overlays that the metadata lacks, 2026-11).

use Area::{Canada as C, Elsewhere as E, NonGeographic as N, TollFree as T, UnitedStates as U};

/// What an area code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Area {
    /// A place in the United States, its territories included.
    UnitedStates,
    /// A place in Canada.
    Canada,
    /// A place in another country of the plan, such as Jamaica.
    Elsewhere,
    /// Calls that the called party pays.
    TollFree,
    /// Personal, government, carrier and premium-rate numbers that belong to no place.
    NonGeographic,
}

/// The kind of a three-digit area code, or none where it is not assigned.
pub(crate) fn area(code: u16) -> Option<Area> {
    let at = AREAS.binary_search_by_key(&code, |&(known, _)| known).ok()?;
    Some(AREAS[at].1)
}

/// Every assigned area code with its kind, sorted; besides the metadata, the overlays 357, 436, 457, 465, 471, 483, 621, 624, 679, 729, 837, 861 and 924, opened between 2023 and 2026.
#[rustfmt::skip]
pub(crate) static AREAS: &[(u16, Area)] = &[
    (201, U), (202, U), (203, U), (204, C), (205, U), (206, U), (207, U), (208, U), (209, U), (210, U),
    (212, U), (213, U), (214, U), (215, U), (216, U), (217, U), (218, U), (219, U), (220, U), (223, U),
    (224, U), (225, U), (226, C), (227, U), (228, U), (229, U), (231, U), (234, U), (235, U), (236, C),
    (239, U), (240, U), (242, E), (246, E), (248, U), (249, C), (250, C), (251, U), (252, U), (253, U),
    (254, U), (256, U), (257, C), (260, U), (262, U), (263, C), (264, E), (267, U), (268, E), (269, U),
    (270, U), (272, U), (273, C), (274, U), (276, U), (279, U), (281, U), (283, U), (284, E), (289, C),
    (301, U), (302, U), (303, U), (304, U), (305, U), (306, C), (307, U), (308, U), (309, U), (310, U),
    (312, U), (313, U), (314, U), (315, U), (316, U), (317, U), (318, U), (319, U), (320, U), (321, U),
    (323, U), (324, U), (325, U), (326, U), (327, U), (329, U), (330, U), (331, U), (332, U), (334, U),
    (336, U), (337, U), (339, U), (340, U), (341, U), (343, C), (345, E), (346, U), (347, U), (350, U),
    (351, U), (352, U), (353, U), (354, C), (357, U), (360, U), (361, U), (363, U), (364, U), (365, C),
    (367, C), (368, C), (369, U), (380, U), (382, C), (385, U), (386, U),
    (401, U), (402, U), (403, C), (404, U), (405, U), (406, U), (407, U), (408, U), (409, U), (410, U),
    (412, U), (413, U), (414, U), (415, U), (416, C), (417, U), (418, C), (419, U), (423, U), (424, U),
    (425, U), (428, C), (430, U), (431, C), (432, U), (434, U), (435, U), (436, U), (437, C), (438, C),
    (440, U), (441, E), (442, U), (443, U), (445, U), (447, U), (448, U), (450, C), (457, U), (458, U),
    (463, U), (464, U), (465, U), (468, C), (469, U), (470, U), (471, U), (472, U), (473, E), (474, C),
    (475, U), (478, U), (479, U), (480, U), (483, U), (484, U),
    (500, N), (501, U), (502, U), (503, U), (504, U), (505, U), (506, C), (507, U), (508, U), (509, U),
    (510, U), (512, U), (513, U), (514, C), (515, U), (516, U), (517, U), (518, U), (519, C), (520, U),
    (521, N), (522, N), (523, N), (524, N), (525, N), (526, N), (527, N), (528, N), (529, N), (530, U),
    (531, U), (532, N), (533, N), (534, U), (539, U), (540, U), (541, U), (544, N), (548, C), (551, U),
    (557, U), (559, U), (561, U), (562, U), (563, U), (564, U), (566, N), (567, U), (570, U), (571, U),
    (572, U), (573, U), (574, U), (575, U), (577, N), (579, C), (580, U), (581, C), (582, U), (584, C),
    (585, U), (586, U), (587, C), (588, N),
    (600, N), (601, U), (602, U), (603, U), (604, C), (605, U), (606, U), (607, U), (608, U), (609, U),
    (610, U), (612, U), (613, C), (614, U), (615, U), (616, U), (617, U), (618, U), (619, U), (620, U),
    (621, U), (622, N), (623, U), (624, U), (626, U), (628, U), (629, U), (630, U), (631, U), (633, N),
    (636, U), (639, C), (640, U), (641, U), (645, U), (646, U), (647, C), (649, E), (650, U), (651, U),
    (656, U), (657, U), (658, E), (659, U), (660, U), (661, U), (662, U), (664, E), (667, U), (669, U),
    (670, U), (671, U), (672, C), (678, U), (679, U), (680, U), (681, U), (682, U), (683, C), (684, U),
    (686, U), (689, U),
    (700, N), (701, U), (702, U), (703, U), (704, U), (705, C), (706, U), (707, U), (708, U), (709, C),
    (710, N), (712, U), (713, U), (714, U), (715, U), (716, U), (717, U), (718, U), (719, U), (720, U),
    (721, E), (724, U), (725, U), (726, U), (727, U), (728, U), (729, U), (730, U), (731, U), (732, U),
    (734, U), (737, U), (738, U), (740, U), (742, C), (743, U), (747, U), (748, U), (753, C), (754, U),
    (757, U), (758, E), (760, U), (762, U), (763, U), (765, U), (767, E), (769, U), (770, U), (771, U),
    (772, U), (773, U), (774, U), (775, U), (778, C), (779, U), (780, C), (781, U), (782, C), (784, E),
    (785, U), (786, U), (787, U),
    (800, T), (801, U), (802, U), (803, U), (804, U), (805, U), (806, U), (807, C), (808, U), (809, E),
    (810, U), (812, U), (813, U), (814, U), (815, U), (816, U), (817, U), (818, U), (819, C), (820, U),
    (821, U), (825, C), (826, U), (828, U), (829, E), (830, U), (831, U), (832, U), (833, T), (835, U),
    (837, U), (838, U), (839, U), (840, U), (843, U), (844, T), (845, U), (847, U), (848, U), (849, E),
    (850, U), (854, U), (855, T), (856, U), (857, U), (858, U), (859, U), (860, U), (861, U), (862, U),
    (863, U), (864, U), (865, U), (866, T), (867, C), (868, E), (869, E), (870, U), (872, U), (873, C),
    (876, E), (877, T), (878, U), (879, C), (888, T),
    (900, N), (901, U), (902, C), (903, U), (904, U), (905, C), (906, U), (907, U), (908, U), (909, U),
    (910, U), (912, U), (913, U), (914, U), (915, U), (916, U), (917, U), (918, U), (919, U), (920, U),
    (924, U), (925, U), (928, U), (929, U), (930, U), (931, U), (934, U), (936, U), (937, U), (938, U),
    (939, U), (940, U), (941, U), (942, C), (943, U), (945, U), (947, U), (948, U), (949, U), (951, U),
    (952, U), (954, U), (956, U), (959, U), (970, U), (971, U), (972, U), (973, U), (975, U), (978, U),
    (979, U), (980, U), (983, U), (984, U), (985, U), (986, U), (989, U),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_sorted_and_possible() {
        assert!(AREAS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for &(code, _) in AREAS {
            assert!((200..1000).contains(&code) && code % 100 != 11, "{code}");
            assert!(code / 10 % 10 != 9, "{code}: the middle digit 9 is kept back");
        }
    }

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
