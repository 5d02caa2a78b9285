//! The variables of conditions, and the list of those that every system has. A system lists its own as
//! [`System::facts`](super::system::System::facts).

/// Defines [`Variable`] and [`Variable::bound`] from one list of variables with their greatest values.
macro_rules! variables {
    ($($(#[$doc:meta])* $variable:ident $(($argument:ty))? <= $bound:expr;)+) => {
        /// A variable of a condition. Booleans are 0 or 1; everything else is a whole number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "`SHARED` and the lists of systems describe each")]
        pub enum Variable {
            $($(#[$doc])* $variable $(($argument))?,)+
        }

        impl Variable {
            /// The greatest value it can have, against which sums are checked. It is generous: distances grow without
            /// end on an unbounded line, but not beyond the Units that a combatant can walk in 10000 Rounds.
            pub const fn bound(self) -> i64 {
                match self {
                    $(Self::$variable { .. } => $bound,)+
                }
            }
        }
    };
}

variables! {
    Distance <= 1 << 30;
    Mark <= 64;
    Marks <= 64;
    Score <= 64;
    Round <= 10_000;
    Hp <= 1_000_000;
    MaxHp <= 1_000_000;
    HpPercent <= 100;
    TargetHp <= 1_000_000;
    TargetMaxHp <= 1_000_000;
    TargetHpPercent <= 100;
    MoveLeft <= 1000;
    Moved <= 1;
    Acted <= 1;
    Attacked <= 1;
    Ready <= 1;
    InMelee <= 1;
    Threatened <= 1;
    Casting <= 1;
    Channelling <= 1;
    TargetCasting <= 1;
    TargetChannelling <= 1;
    TargetReady <= 1;
    TargetInReach <= 1;
    Allies <= 64;
    Enemies <= 64;
    NearestEnemyDistance <= 1 << 30;
    /// Standing enemies within this number of Units.
    EnemiesWithin(u32) <= 64;
    /// Standing allies, without the combatant itself, within this number of Units.
    AlliesWithin(u32) <= 64;
    Prone <= 1;
    TargetProne <= 1;
    CanCar <= 1;
    Initiative <= 1 << 30;
    Yards <= 100_000;
    FreeYards <= 100_000;
    Actions <= 256;
    Wounds <= 10_000_000;
    TargetWounds <= 10_000_000;
    Injured <= 1;
    TargetInjured <= 1;
    Endurance <= 10_000;
    Collapsed <= 1;
    Gathered <= 1_000_000;
    Paradox <= 1_000_000;
    Willpower <= 256;
    Place <= 64;
    TurnsLeft <= 64;
    EnemiesLeft <= 64;
    EnemyActed <= 1;
    Delayed <= 1;
    Interrupted <= 1;
    TargetActed <= 1;
    TargetReadied <= 1;
    Defence <= 256;
    TargetDefence <= 256;
    Ongoing <= 100_000;
    TargetOngoing <= 100_000;
    Phase <= 256;
    Speed <= 256;
    Moxie <= 256;
    QuickActions <= 256;
    Delaying <= 1;
    Interrupting <= 1;
    EnemyAttacks <= 1;
    UnderAttack <= 1;
    EnemyActs <= 1;
    EnemyQuick <= 1;
    EnemyMoves <= 1;
    AllyHp <= 1_000_000;
    AllyHpPercent <= 100;
    AllyDistance <= 1 << 30;
    /// Whether the combatant has the condition with this index.
    Has(u8) <= 1;
    /// Whether the target has the condition with this index.
    TargetHas(u8) <= 1;
    /// Stages of work in the combatant's task with this index.
    Progress(u8) <= 1000;
    /// Uses left of the combatant's item with this index.
    Uses(u8) <= 1000;
    /// Whether the combatant's weapon with this index is drawn.
    InHand(u8) <= 1;
}

impl Variable {
    /// Whether it can be read for any combatant at any time: it needs neither a target nor a certain clock.
    pub const fn is_of_anybody(self) -> bool {
        matches!(
            self,
            Self::Round
                | Self::Hp
                | Self::MaxHp
                | Self::HpPercent
                | Self::Prone
                | Self::Has(_)
                | Self::InMelee
                | Self::Threatened
                | Self::Allies
                | Self::Enemies
                | Self::AlliesWithin(_)
                | Self::EnemiesWithin(_)
                | Self::NearestEnemyDistance
        )
    }
}

/// Whether a variable is a number or a truth value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole number; the text is its unit.
    Number(&'static str),
    /// True or false.
    Boolean,
}

/// A variable of conditions without an argument, as a designer sees it.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// As written in a condition.
    pub name: &'static str,
    /// The variable.
    pub variable: Variable,
    /// Its type and unit.
    pub kind: Kind,
    /// Its meaning.
    pub meaning: &'static str,
}

impl PartialEq for Fact {
    fn eq(&self, other: &Self) -> bool {
        self.variable == other.variable
    }
}

impl Eq for Fact {}

/// A list of variables: name, variable, unit (`bool` for a truth value) and meaning of each.
macro_rules! facts {
    (@kind bool) => { $crate::fight::variables::Kind::Boolean };
    (@kind $unit:literal) => { $crate::fight::variables::Kind::Number($unit) };
    (
        $(#[$doc:meta])* $visibility:vis $list:ident:
        $($name:literal $variable:ident $kind:tt $meaning:literal;)+
    ) => {
        $(#[$doc])*
        $visibility const $list: &[$crate::fight::variables::Fact] =
            &[$($crate::fight::variables::Fact {
                name: $name,
                variable: $crate::fight::Variable::$variable,
                kind: $crate::fight::variables::facts!(@kind $kind),
                meaning: $meaning,
            }),+];
    };
}

pub(crate) use facts;

facts! {
    /// The variables of every system. There are also `uses.ITEM`, `in_hand.WEAPON` and `progress.TASK`, resolved
    /// against the combatant's own lists, and those of [`WITHIN`].
    pub SHARED:
    "distance" Distance "Units" "to the target";
    "round" Round "Rounds" "the Round (or turn) it is now, from 1";
    "health" Hp "points" "own health; `hp` means the same, here and in the other names";
    "max_health" MaxHp "points" "the most health it may have: its start, with conditions";
    "health_percent" HpPercent "percent" "own health of `max_health`, rounded down";
    "target.health" TargetHp "points" "the target's health";
    "target.max_health" TargetMaxHp "points" "the most health the target may have";
    "target.health_percent" TargetHpPercent "percent" "the target's health of `target.max_health`, rounded down";
    "ready" Ready bool "nothing that a Set would help is un-set; true wherever there is no Set";
    "in_melee" InMelee bool "an enemy stands within its reach";
    "threatened" Threatened bool "the combatant stands within the reach of an enemy";
    "casting" Casting bool "it is casting a spell";
    "target.casting" TargetCasting bool "a spell of the target's is under way";
    "target.ready" TargetReady bool "nothing that a Set would help the target with is un-set";
    "target.in_reach" TargetInReach bool "the target stands within its reach";
    "allies" Allies "combatants" "standing allies";
    "enemies" Enemies "combatants" "enemies that stand";
    "ally.health" AllyHp "points" "health of the ally that the line is about, or else of the weakest; 0 if none stands";
    "ally.health_percent" AllyHpPercent "percent" "of the most health it may have, rounded down";
    "ally.distance" AllyDistance "Units" "to that ally";
    "nearest_enemy_distance" NearestEnemyDistance "Units"
        "to the nearest enemy, whomever the line is about; 0 if none stands";
    "prone" Prone bool "on the ground";
    "target.prone" TargetProne bool "the target is on the ground";
}

/// The variables that count combatants nearby: their spelling and meaning.
pub const WITHIN: &[(&str, &str)] = &[
    (
        "enemies_within(N)",
        "enemies that stand no farther than N Units away",
    ),
    (
        "allies_within(N)",
        "standing allies no farther than N Units away",
    ),
];
