//! Later additions to instant effects, hazards and ground (W-11, W-14, W-15), on all clocks.

use super::effects::assert_refused;

#[test]
fn w_14_what_asks_of_those_struck_what_they_have_not_is_refused() {
    for (hazard, wanted) in [
        (
            "when = 'distance > 2'",
            "`when` of \"gas\" asks for what a combatant alone does not have",
        ),
        ("when = 'target.prone'", "`max_health`"),
        ("when = 'hp >'", "expected"),
        ("when = 'has mask'", "mask"),
        ("falls = 'pilto'", "no combatant is called \"pilto\""),
        ("mark = 5", "there are no Marks here"),
    ] {
        let things = format!("[encounter.hazards.gas]\n{hazard}\neffects = [{{ damage = 1 }}]\n");
        assert_refused(&things, wanted);
    }
    for (things, wanted) in [
        ("[[encounter.events]]\nround = 4\n", "no `events`"),
        (
            "[encounter.goals.hull]\nround = 4\noutcome = 'breached'\n",
            "the name of the goal is that of the outcome",
        ),
        (
            "[items.thief]\neffects = [{ uses = 'bwo', change = 1 }]\n",
            "no item, and no weapon with `uses`, is called \"bwo\"",
        ),
        (
            "[items.thief]\neffects = [{ uses = 'thief', change = 0 }]\n",
            "`change` is 0",
        ),
        (
            "[items.thief]\neffects = [{ uses = 'thief' }]\n",
            "lacks `change`",
        ),
        (
            "[encounter.ground.bog]\nstretch = [0, 9]\ndifficult = 'very'\n",
            "`difficult`",
        ),
        (
            "[encounter.ground.bog]\nstretch = [0, 9]\ndifficult = 11\n",
            "`difficult`",
        ),
        (
            "[encounter.ground.bog]\nstretch = [0, 9]\ncover = 2\n",
            "no `cover`",
        ),
    ] {
        assert_refused(things, wanted);
    }
}
