#!/usr/bin/env python3
"""A slow, plain reading of the Mage rules, to compare the engine with.

It reads a scenario (docs/FORMAT.md), plays it with Python's own random numbers, every die of every
pool rolled, and prints the means of every metric with their standard errors as JSON. It shares no
code and no design with the engine on purpose: each rule is written down as its text says it, and
cites its id (MA-5, MD-2). What scenario files of all systems share comes from reference.py.

    python3 benches/peers/mage_reference.py scenarios/mage-alley.toml --n 4000
    python3 benches/peers/mage_reference.py benches/peers/fights/mage-move.toml --trace 0

Needs Python 3.11 or later and nothing else.
"""

import argparse
import json
import re
import sys

import reference
from effects import FRIENDLY, Bearer, Effects, Power
from reference import Condition, Dice, Mean, RandomChance, gap, variants_of

reference.VARIABLES.update({
    "turn", "initiative", "actions", "yards", "free_yards", "wounds", "target.wounds", "injured",
    "target.injured", "endurance", "collapsed", "gathered", "paradox",
    "willpower"})
# MA-8: name, dice off attack pools, whether it slows (MA-7).
LEVELS = [("Bruised", 0, False), ("Hurt", 1, False), ("Injured", 1, True), ("Wounded", 2, True),
          ("Mauled", 2, True), ("Crippled", 5, True), ("Incapacitated", 0, True)]
MODES = ("walk", "jog", "run", "swim", "fly", "climb")
TARGETS = ("nearest", "weakest", "strongest", "casting")
COUNTS = ["health", "damage", "damage_taken", "attacks", "hits", "attacks_lost", "units_moved",
          "spells_cast", "turns", "successes", "botches", "diminished", "dice_lost",
          "endurance_rolls", "collapsed", "paradox", "willpower_spent"]


# ---------------------------------------------------------------------------------------------
# Pools
# ---------------------------------------------------------------------------------------------

class Pool:
    """A pool as a scenario writes it, under the rules of its scenario (MD-1 to MD-3)."""

    def __init__(self, table, rules, size=None, difficulty=None):
        self.size = table.get("pool", 0) if size is None else size
        self.difficulty = table.get("difficulty", 6) if difficulty is None else difficulty
        self.required = table.get("required", 1)
        self.extra_damage = table.get("extra_damage", 1)
        say = lambda key, default: table.get(key, rules.get(key, default))
        self.tens, self.ones = say("tens", "explode"), say("ones", "cancel")
        self.late_ones, self.botch = say("ones_on_explosion", "cancel"), say("botch", "ones-exceed")

    def roll(self, dice, chance, harder=0):
        """(net successes, whether it botched) of so many dice."""
        difficulty = min(10, max(2, self.difficulty + harder)) if harder else self.difficulty
        good = ones = 0
        exceeded = False  # MD-2: more 1s than successes at any time
        waiting = [False] * dice  # one entry a die: whether it is an extra one
        while waiting:
            extra = waiting.pop(0)
            exceeded |= extra and ones > good
            face = chance.die(10)
            if face == 1:
                ones += not extra or self.late_ones == "cancel"
            elif face >= difficulty:
                good += 1
                if face == 10:
                    if self.tens == "explode" or (self.tens == "once" and not extra):
                        waiting.append(True)
                    elif self.tens == "double":
                        good += 1
        botch = {"ones-exceed": ones > good, "at-any-time": exceeded or ones > good, "no-success": good == 0 and ones > 0,
                 "none": False}[self.botch]
        return (good - ones if self.ones == "cancel" else good), botch


class Amount:
    """Damage or soak: a number, dice notation, or a pool whose net successes count (MA-9)."""

    def __init__(self, value, rules):
        self.pool = Pool(value, rules) if isinstance(value, dict) else None
        self.dice = None if self.pool else Dice(value)

    def roll(self, extra, chance):
        if self.pool:
            return max(0, self.pool.roll(self.pool.size + extra, chance)[0])
        return (sum(chance.die(self.dice.sides) for _ in range(self.dice.count))
                + self.dice.extra + extra)


# ---------------------------------------------------------------------------------------------
# Policies
# ---------------------------------------------------------------------------------------------

class Feat:
    """One feat of a line: attack, cast, draw, use, stand, advance, retreat or pass."""

    def __init__(self, words, target="nearest"):
        self.weapon = self.name = self.mode = self.number = self.to = None
        self.target = target
        words = list(words)
        take = lambda: words.pop(0).strip('"')
        self.verb = take()
        if self.verb in ("advance", "retreat"):
            self.mode = take() if words and words[0] in MODES else "run"
            if words and words[0].isdigit():
                self.number = int(take())
            if words and words[0] == "to":
                take()
                self.to = int(take())
        elif self.verb == "flee":  # W-10: a retreat to the end
            self.mode = take() if words and words[0] in MODES else "run"
        elif self.verb in ("cast", "use") or (self.verb == "draw" and words):
            self.name = take()
        elif self.verb not in ("attack", "draw", "stand", "pass", "surrender"):
            raise ValueError(f"unknown action {self.verb!r}")
        self.sure = False  # MD-4
        if words and words[0] != "with":
            self.target = take()
        while words and words[0] == "with":
            take()
            if words[0] == "willpower":
                self.sure = bool(take())
            else:
                self.weapon = take()
        if words:
            raise ValueError(f"left over: {words}")


class Line:
    """FEAT [+ FEAT ...] [split A,B,...] [if CONDITION]"""

    def __init__(self, text):
        self.text = text
        self.condition = self.split = None
        head, found, condition = text.partition(" if ")
        if found:
            self.condition = Condition(condition)
        head, found, split = head.partition(" split ")
        if found:
            self.split = [int(part) for part in split.split(",")]
        self.feats, words = [], []
        for word in re.findall(r'"[^"]*"|[^\s"]+', head) + ["+"]:
            if word == "+":
                self.feats.append(Feat(words))
                words = []
            else:
                words.append(word)


class View(reference.View):
    """What a condition may ask: the variables of docs/FORMAT.md."""

    turn = property(lambda v: v.fight.round)
    initiative = property(lambda v: v.me.total)
    actions = property(lambda v: v.me.actions)
    yards = property(lambda v: v.me.yards)
    free_yards = property(lambda v: max(0, v.fight.free_half(v.me) - v.me.yards))
    moved = property(lambda v: v.me.yards > 0)
    acted = property(lambda v: v.me.acted)
    attacked = property(lambda v: v.me.attacked)
    wounds = property(lambda v: v.me.wounds())
    target_wounds = property(lambda v: v.foe.wounds())
    injured = property(lambda v: v.me.injured())
    target_injured = property(lambda v: v.foe.injured())
    endurance = property(lambda v: max(0, v.me.endurance))
    collapsed = property(lambda v: v.me.collapsed)
    gathered = property(lambda v: v.me.gathered)
    paradox = property(lambda v: v.me.count["paradox"])
    willpower = property(lambda v: v.me.willpower - v.me.count["willpower_spent"])


# ---------------------------------------------------------------------------------------------
# The scenario
# ---------------------------------------------------------------------------------------------

KINDS = {"pool": "pool", "percentile": "skill", "roll-over": "dice"}  # and the key of each


class Weapon:
    def __init__(self, name, table, rules):
        self.name, self.rules = name, rules
        self.melee = table["kind"] == "melee"
        self.span = table.get("reach", 0) if self.melee else table["range"]  # W-2
        self.mastery, check = table.get("mastery", 0), table["check"]
        # Of several kinds beside one another `rules.check` says which rules.
        self.kind = rules.get("check") or next(k for k, key in KINDS.items() if key in check)
        if self.kind == "pool":
            self.check = Pool(check, rules)
            self.size = self.check.size + self.mastery
        elif self.kind == "percentile":
            self.skill = check["skill"] + self.mastery
            self.bares = check.get("critical", "ignores-armor") == "ignores-armor"
        else:
            self.dice, self.bonus = Dice(check["dice"]), check.get("bonus", 0) + self.mastery
        self.damage = Amount(table["damage"], rules)
        self.damage_type, self.power = table.get("damage_type"), Power(
            {"effects": table.get("effects", [])}, "enemy")
        self.ready_turns = table.get("ready_turns", 0)

    def strike(self, lost, target, chance, more=0):
        """(whether it hits, whether armour counts) of a check that is no pool. A die lost is a point
        of a roll over Evade (TC-22), ten of a skill (EP-9)."""
        if self.kind == "percentile":
            shown = chance.die(100) - 1
            works = shown == 0 or (shown != 99 and shown <= self.skill + more - 10 * lost)
            return works, not (self.bares and shown // 10 == shown % 10)
        total = sum(chance.die(self.dice.sides) for _ in range(self.dice.count))
        total += self.dice.extra + self.bonus + more - lost
        beats = self.rules.get("hit", "meet") == "beat"
        return (total > target.evade_now if beats else total >= target.evade_now), True


class Spell:
    def __init__(self, name, table, rules, sleepers):
        self.name, self.span, self.sphere = name, table.get("range", 0), table["sphere"]
        self.power = Power(table, "enemy") if "effects" in table else None
        self.target = table.get("target", "enemy")
        self.vulgar = table.get("vulgar", False)
        self.witnessed = self.vulgar and sleepers
        self.ritual = table.get("ritual", False)
        self.dice = table.get("dice")
        difficulty = min(10, self.sphere + 3 + self.vulgar + self.witnessed)  # MD-5
        self.check = Pool({}, rules, size=0, difficulty=difficulty)
        self.check.required = table.get("required", 2)
        self.check.extra_damage = table.get("extra_damage", 1)
        self.extra_range = table.get("extra_range", 0)
        self.damage = Amount(table.get("damage", 0), rules)
        self.diminished = table.get(
            "diminished", rules.get("magick", {}).get("diminished", "half"))  # MD-3

    def price(self, distance):
        """MD-3: extra successes that so great a distance takes."""
        if distance <= self.span or not self.extra_range:
            return 0
        return -((self.span - distance) // self.extra_range)


def levels_of(table):
    """The track of a combatant (MA-8)."""
    if "health" not in table:
        return LEVELS
    levels, slow = [], False
    for level in table["health"]:
        slow = slow or level.get("slows", level["name"] == "Injured")
        levels.append((level["name"], level.get("penalty", 0), slow))
    return levels


class Combatant(Bearer):
    def __init__(self, fight, table, name, index):
        self.fight, self.index, self.name, self.group = fight, index, name, table["name"]
        self.side, self.start = table["side"], table["position"]
        a = table["attributes"]
        self.dexterity, self.wits, self.stamina = a["dexterity"], a["wits"], a["stamina"]
        self.willpower = table.get("willpower", 0)
        self.rates = {  # MA-4
            "walk": 7, "jog": 12 + self.dexterity, "run": 20 + 3 * self.dexterity,
            "swim": (12 if table.get("swims") else 8) + self.dexterity, "fly": table.get("fly", 0)}
        self.climb = Pool(table["climb"], fight.rules) if "climb" in table else None
        self.actions_a_turn = 1 + table.get("extra_actions", 0)
        self.arete = table.get("arete", 0)
        soak = table.get("soak", 0)  # a number is armour, MA-9
        is_rolled = isinstance(soak, dict)
        self.soak = Amount(soak if is_rolled else 0, fight.rules)
        self.evade = table.get("evade")
        self.armor = table.get("armor", 0) + (0 if is_rolled else soak)
        self.points = table["health"] if fight.rules.get("health") == "points" else None
        if self.points:
            self.levels = []
        else:
            self.levels = levels_of(table)
        self.weapons = [fight.weapons[w] for w in table.get("weapons", [])]
        self.undrawn = set(table.get("undrawn", []))
        self.items = table.get("items", [])
        self.read_effects(table, fight.scenario.get("items", {}))
        self.starts_prone = table.get("prone", False)
        policy = table["policy"]
        lines = fight.scenario["policies"][policy] if isinstance(policy, str) else policy
        self.policy = [Line(text) for text in lines]

    def reset(self):
        self.at = self.start
        self.begin_effects()
        self.hp = self.max_hp = self.points or len(self.levels)
        self.hand = {w.name for w in self.weapons} - self.undrawn
        self.progress = {}
        self.uses = {i: self.fight.scenario["items"][i].get("uses", 1) for i in self.items}
        self.prone = self.starts_prone
        self.endurance = self.fight.endurance_turns * self.stamina  # MA-6
        self.collapsed = self.loses_turn = self.under_fire = False
        self.spell, self.gathered, self.ritual_paid, self.aim = None, 0, 0, None
        self.total = 0
        self.count = dict.fromkeys([*COUNTS, "healed", *self.fight.counts], 0)
        self.first_attack = None
        self.begin_turn()

    def begin_turn(self):
        self.actions = max(0, self.actions_a_turn + self.change("extra_actions"))
        self.yards = 0
        self.acted = self.attacked = self.divided = False
        self.mode = self.climbed = None
        self.used_action = self.willed = False
        self.rolled_endurance = self.tired = self.stopped = False
        self.walk, self.done = None, False
        self.waiting_damage = 0

    def level(self):
        return ("unhurt", 0, False) if self.points or self.hp >= self.max_hp or self.hp <= 0 else \
            self.levels[self.max_hp - self.hp - 1]

    def wounds(self):
        return self.level()[1]

    def injured(self):
        return self.level()[2]


class Field(Effects):
    """The line and who stands on it (W-1 to W-4): what all systems of turns share."""

    def muster(self, kind):
        self.low, self.high = self.scenario.get("encounter", {}).get("arena", (-10**9, 10**9))
        self.all = []
        for table in self.scenario["combatants"]:
            count = table.get("count", 1)
            for k in range(count):
                name = table["name"] if count == 1 else f"{table['name']} {k + 1}"
                self.all.append(kind(self, table, name, len(self.all)))
        self.sides = list(dict.fromkeys(c.side for c in self.all))
        self.read_effects(self.scenario)
        self.tell = lambda *words: None

    def enemies(self, c):
        return [e for e in self.all if e.side != c.side and e.standing]

    def reach(self, c):
        spans = [self.span_of(c, w) for w in c.weapons if w.melee and w.name in c.hand]
        return max(spans, default=None)

    def reaches(self, c, other):
        reach = self.reach(c)
        return reach is not None and gap(c, other) <= reach

    def in_melee(self, c):
        return any(self.reaches(c, e) for e in self.enemies(c))

    def choose_target(self, c, spec, fits):
        """W-4; W-11: also allies."""
        if spec == "self":
            return c
        friends = [a for a in self.friends(c) if fits(a)]
        if spec in FRIENDLY:
            key = (lambda a: gap(c, a)) if spec == "ally" else (lambda a: a.hp)
            return min(friends, key=key, default=None)
        if any(spec in (a.group, a.name) and a.side == c.side for a in self.all):
            friends = [a for a in friends if spec in (a.group, a.name)]
            return min(friends, key=lambda a: gap(c, a), default=None)
        fitting = [e for e in self.enemies(c) if fits(e)]
        if spec not in TARGETS:
            named = [e for e in self.all if spec in (e.group, e.name)]
            if any(e.standing for e in named):
                fitting = [e for e in fitting if e in named]
            spec = "nearest"
        if spec == "casting":
            fitting = [e for e in fitting if e.spell is not None]
        if not fitting:
            return None
        key = {"nearest": lambda e: gap(c, e), "weakest": lambda e: e.hp,
               "strongest": lambda e: -e.hp, "casting": lambda e: 0}[spec]
        return min(fitting, key=key)

    def away(self, c, target):
        """W-1."""
        if c.at != target.at:
            return 1 if c.at > target.at else -1
        if c.start != target.start:
            return 1 if c.start > target.start else -1
        return -1 if c.side == self.sides[0] else 1

    def wanted(self, c, feat, target):
        if feat.verb == "advance":
            return gap(c, target) > (feat.to if feat.to is not None else (self.reach(c) or 0))
        if feat.to is not None and gap(c, target) >= feat.to:
            return False
        return self.low <= c.at + self.away(c, target) <= self.high


class Fight(Field):
    FIRST_ATTACK = "first_attack_turn"

    def __init__(self, scenario):
        self.scenario, self.rules = scenario, scenario.get("rules", {})
        encounter = scenario.get("encounter", {})
        self.max_rounds = encounter.get("max_rounds", 50)
        self.strenuous = encounter.get("strenuous", False)
        ends = encounter.get("ends_when", [])
        self.ends_when = [c.split() for c in ([ends] if isinstance(ends, str) else ends)]
        initiative = self.rules.get("initiative", {})
        self.per_scene = initiative.get("roll") == "per-scene"
        self.share = initiative.get("share", [])
        self.ties = initiative.get("ties", ["total", "rating", "wits", "dexterity"])
        self.per_yard = self.rules.get("per_yard", "beyond")
        self.divide = self.rules.get("divide", "after").partition("-")[0]
        self.endurance_turns = self.rules.get("endurance_turns", 10)
        self.will_rule = self.rules.get("willpower", "per-turn")
        self.every_move = self.rules.get("endurance", {}).get("every_move", False)
        self.exhaustion = self.rules.get("exhaustion", "half")
        self.exhaustion_botch = self.rules.get("exhaustion_botch", "collapse")
        self.attack_botch = self.rules.get("attack_botch", "nothing")
        self.attack_botch_damage = Amount(self.rules.get("attack_botch_damage", 0), self.rules)
        self.climb_feet = self.rules.get("climb_feet", 10)
        magick = self.rules.get("magick", {})
        self.magick_botch = magick.get("botch", "paradox")
        self.botch_damage = Amount(magick.get("botch_damage", 0), self.rules)
        self.ritual_botch = magick.get("ritual_botch", "ends")
        self.paradox_once = magick.get("paradox", "each") == "once"
        self.damage_interrupts = magick.get("damage_interrupts", True)
        self.weapons = {n: Weapon(n, t, self.rules)
                        for n, t in scenario.get("weapons", {}).items()}
        self.spells = {n: Spell(n, t, self.rules, encounter.get("sleepers", False))
                       for n, t in scenario.get("spells", {}).items()}
        self.body = Pool({}, self.rules)  # MA-6: Stamina or Willpower against 6
        self.muster(Combatant)
        spends_willpower = any(
            feat.sure for c in self.all for line in c.policy for feat in line.feats)
        self.counts = [m for m in COUNTS if m != "willpower_spent" or spends_willpower]
        self.counts += self.optional_counts()

    # --- initiative (MA-1, MA-2) --------------------------------------------------------------

    def roll_initiative(self):
        shared = {}
        for c in self.all:
            if not c.standing:
                continue
            key = next((k for k in (c.side, c.group) if k in self.share), None)
            if key in shared:
                c.total = shared[key]
                continue
            c.total = c.dexterity + c.wits + self.chance.die(10) + c.change("initiative")
            if key is not None:
                shared[key] = c.total

    def order(self):
        """Lists of those who act together, the first first."""
        of = {"total": lambda c: c.total, "rating": lambda c: c.dexterity + c.wits,
              "wits": lambda c: c.wits, "dexterity": lambda c: c.dexterity}
        keys = [of[tie] for tie in self.ties if tie in of]
        rank = lambda c: tuple(key(c) for key in keys)
        groups = {}
        for c in self.all:
            if c.standing:
                groups.setdefault(rank(c), []).append(c)
        return [groups[key] for key in sorted(groups, reverse=True)]

    # --- movement (MA-4 to MA-7) --------------------------------------------------------------

    def halved(self, c, rate):
        if c.injured():
            rate //= 2
        if c.tired:
            rate //= 2
        return rate

    def free_half(self, c):
        """MA-5: half the running speed."""
        return self.halved(c, self.base(c, "run")) // 2

    def base(self, c, mode):
        rate = (c.climbed or 0) if mode == "climb" else c.rates[mode]
        return max(0, rate + c.change("move")) if mode == "run" else rate

    def rate(self, c, mode):
        if c.collapsed or c.stopped:
            return 0
        return self.halved(c, self.base(c, mode))

    def may_move(self, c, mode):
        if c.collapsed or c.stopped or (c.mode or mode) != mode:
            return False
        if mode == "climb" and c.climbed is None:
            return c.climb is not None and c.actions > 0
        if c.yards >= self.rate(c, mode):
            return False
        return not c.acted or mode == "climb" or c.yards < self.free_half(c)

    def step(self, c, together):
        """One yard of the walk under way."""
        feat, target = c.walk[0], c.walk[2]
        if not target.standing:  # W-4: it fell at this very beat
            target = c.walk[2] = self.choose_target(c, feat.target, lambda e: True)
            if target is None:
                c.walk = None
                return
        if self.every_move:
            self.push(c)
        if feat.mode == "climb" and c.climbed is None and not c.collapsed:
            c.actions -= 1
            net, _ = c.climb.roll(c.climb.size, self.chance)
            c.used_action = True
            c.climbed = max(0, net) * self.climb_feet // 3
            c.mode = "climb"
        if not self.every_move:
            # MA-6: all of a move that is known when it begins, then yard by yard.
            ahead = self.ahead(c, feat, target) if c.walk[3] else 1
            if 2 * (c.yards + ahead) > self.rate(c, feat.mode):
                self.push(c)
        c.walk[1], c.walk[3] = c.walk[1] - 1, False
        if not self.may_move(c, feat.mode):
            c.walk = None
            return
        c.mode = feat.mode
        c.yards += 1
        away = self.away(c, target)
        there = c.at + (-away if feat.verb == "advance" else away)
        if self.wanted(c, feat, target) \
                and not any([there, c.at] == made and foe.side != c.side
                            for foe, *made in self.steps):
            self.steps.append((c, c.at, there))
            c.at = there
            c.count["units_moved"] += 1
        else:
            assert together  # W-5: spent on the spot
        if c.walk[1] <= 0:
            c.walk = None

    def ahead(self, c, feat, target):
        """Yards of a walk that begins, if its target stays where it is."""
        left = self.rate(c, feat.mode)
        if c.acted:
            left = min(left, self.free_half(c))
        if feat.verb == "advance":
            room = gap(c, target) - (feat.to if feat.to is not None else (self.reach(c) or 0))
        else:
            room = self.high - c.at if self.away(c, target) > 0 else c.at - self.low
            if feat.to is not None:
                room = min(room, feat.to - gap(c, target))
        return max(0, min(left - c.yards, room, c.walk[1]))

    def push(self, c):
        """MA-6: the roll to go on beyond one's endurance, once a turn."""
        if c.endurance <= 0 and not c.rolled_endurance:
            c.rolled_endurance = True
            c.count["endurance_rolls"] += 1
            net, botch = self.body.roll(max(c.stamina, c.willpower), self.chance)
            self.tell(f"  {c.name} endurance: {net} {botch}")
            if botch and self.exhaustion_botch == "collapse":
                c.collapsed, c.count["collapsed"] = True, 1
            elif botch:
                c.stopped = True
                c.prone = c.prone or self.exhaustion_botch == "trip"
            elif net <= 0 and self.exhaustion == "half":
                c.tired = True
            elif net <= 0 and self.exhaustion == "stop":
                c.stopped = True

    def walk_goes_on(self, c):
        feat, _, target, _ = c.walk
        if not target.standing:
            target = c.walk[2] = self.choose_target(c, feat.target, lambda e: True)
        if target is None or not self.wanted(c, feat, target) or not self.may_move(c, feat.mode):
            c.walk = None
        return c.walk is not None

    def dice_off(self, c):
        """MA-5: dice that the yards of this turn cost."""
        free = self.free_half(c)
        if c.yards <= free or self.per_yard == "none":
            return 0
        return c.yards if self.per_yard == "all" else c.yards - free

    def end_turn(self, c):
        if c.yards and c.mode:  # MA-6
            if 2 * c.yards > self.rate(c, c.mode) and self.rate(c, c.mode) > 0:
                hard = self.strenuous or c.mode == "swim" or c.under_fire
                c.endurance -= 2 if hard else 1
        c.under_fire = False
        c.count["turns"] += c.yards > 0 or c.acted or c.used_action

    # --- choosing -----------------------------------------------------------------------------

    def farthest(self, c, what):
        """W-2, and MD-3: an effect whose extra successes buy range, if each of its dice had one."""
        if isinstance(what, Weapon) or not what.extra_range:
            return what.span
        extra = 10**9 if what.ritual else (what.dice or c.arete) - what.check.required
        return what.span + max(0, extra) * what.extra_range

    def fits(self, c, feat, drawn=(), several=False):
        """The weapon or spell and the target of an attack or a spell, or None."""
        if feat.verb == "attack":
            for w in c.weapons:
                if w.kind == "pool":
                    if w.size + c.change("attack") <= c.wounds() + self.dice_off(c):
                        continue  # MA-5: a pool of 0 cannot act
                elif several or feat.sure:
                    continue  # only a pool can be divided, or succeed by Willpower
                if feat.weapon in (None, w.name) and (w.name in c.hand or w.name in drawn):
                    target = self.choose_target(
                        c, feat.target, lambda e: gap(c, e) <= self.span_of(c, w))
                    if target:
                        return w, target
        else:
            spell = self.spells[feat.name]
            aim = c.aim if c.spell is spell else None  # W-4: kept while the ritual lasts
            if spell.power:
                target = self.target_of(c, feat.target, spell.power)
                return (spell, target) if target else None
            far = self.farthest(c, spell)
            if aim and aim.standing and gap(c, aim) <= far:
                return spell, aim
            target = self.choose_target(c, feat.target, lambda e: gap(c, e) <= far)
            if target:
                return spell, target
        return None

    def pool_of(self, c, what):
        """(dice before penalties, penalties) of a weapon or spell (MA-5, MA-8)."""
        if isinstance(what, Weapon):
            return what.size + c.change("attack"), c.wounds() + self.dice_off(c)
        return (what.dice or c.arete) + c.change("attack"), self.dice_off(c)

    def plan(self, c, line):
        """[(feat, what, target, dice)] of a line that is legal now, else None."""
        first = line.feats[0]
        if first.verb == "pass":
            return "pass", None
        if first.verb == "surrender":
            return "leave", None
        if first.verb == "flee" and not c.prone and c.at in self.exits:
            return "leave", None
        if first.verb in ("advance", "retreat", "flee"):
            if c.prone:
                return None
            target = self.choose_target(c, first.target, lambda e: True)  # W-4: of all
            if target is None or not self.wanted(c, first, target) \
                    or not self.may_move(c, first.mode):
                return None
            return "move", target
        if c.actions < 1 or (len(line.feats) > 1 and c.divided):
            return None
        if any(feat.sure for feat in line.feats):  # MD-4
            if c.count["willpower_spent"] >= c.willpower \
                    or (c.willed and self.will_rule == "per-turn"):
                return None
        planned, drawn, prone = [], set(), c.prone
        for feat in line.feats:
            what = target = None
            if feat.verb in ("attack", "cast"):
                if prone and feat.verb == "attack":
                    return None
                found = self.fits(c, feat, drawn, len(line.feats) > 1)
                if not found:
                    return None
                what, target = found
            elif feat.verb == "draw":
                names = [w.name for w in c.weapons if w.name not in c.hand | drawn
                         and feat.name in (None, w.name)]
                if not names:
                    return None
                what = self.weapons[names[0]]
                if what.ready_turns and (c.acted or len(line.feats) > 1):
                    return None  # MA-3: whole turns
                drawn.add(what.name)
            elif feat.verb == "use":
                if not c.uses.get(feat.name):
                    return None
                target = self.target_of(c, feat.target, c.powers[feat.name])
                if target is None:
                    return None
            elif not prone:
                return None
            else:
                prone = False
            planned.append([feat, what, target, None])
        rolled = [p for p in planned if p[0].verb == "cast"
                  or (p[0].verb == "attack" and p[1].kind == "pool")]
        if rolled:
            pools = [self.pool_of(c, p[1]) for p in rolled]
            before = self.divide == "before" and len(planned) > 1
            whole = min(size - (0 if before else off) for size, off in pools)
            parts = line.split
            if not parts:
                parts = [whole // len(planned)] * len(planned)
                for k in range(whole % len(planned)):  # MA-3: the first takes the odd die
                    parts[k] += 1
            if min(parts) < 1 or sum(parts) > whole:
                return None
            for p, part in zip(planned, parts):
                p[3] = part
            if before:
                for p, (_, off) in zip(rolled, pools):
                    p[3] -= off
                    if p[3] < 1:
                        return None
        return "act", planned

    def choose(self, c):
        if c.stunned:
            return None
        for line in c.policy:
            plan = self.plan(c, line)
            if plan is None:
                continue
            kind, planned = plan
            about = planned if kind == "move" else next(
                (p[2] for p in planned or [] if p[2] and p[2] is not c), None)
            if about is None:
                about = min(self.enemies(c), key=lambda e: gap(c, e), default=None)
            if line.condition and (about is None or not line.condition(View(self, c, about))):
                continue
            return kind, planned, line
        return None

    # --- acting -------------------------------------------------------------------------------

    def hurt(self, victim, amount, by, together=()):
        amount = max(0, amount)
        if by is not None and by is not victim:
            by.count["damage"] += amount
        victim.count["damage_taken"] += amount
        if by is not None and by is not victim and by in together and victim in together:
            victim.waiting_damage += amount  # W-5
        else:
            self.apply(victim, amount)

    def apply(self, victim, amount):
        if amount > 0 and victim.standing:
            victim.hp = max(0, victim.hp - amount)
            self.end(victim, lambda one: one.ends == "damage")
            if not victim.standing:
                self.is_down(victim)
            if self.damage_interrupts:
                self.break_ritual(victim)
            self.tell(f"  {victim.name} takes {amount}, {victim.hp} left")

    def break_ritual(self, c):
        c.spell, c.gathered, c.ritual_paid = None, 0, 0

    def act(self, c, planned, together=()):
        if len(planned) > 1:
            c.divided = True
        c.actions -= 1
        c.acted = True
        shared = len(planned) > 1 and self.divide == "after"
        for at, (feat, what, target, dice) in enumerate(planned):
            # One division of one pool loses its dice once.
            c.off = 0 if shared and any(p[3] for p in planned[:at] if p[1]) else self.dice_off(c)
            if not c.standing or self.decided():
                return  # W-6: what is left over is neither made nor lost
            if not (feat.verb == "cast" and c.spell is what):
                self.break_ritual(c)  # any other action breaks it off
            if feat.verb == "draw":
                if what.ready_turns:
                    c.actions = 0
                    c.progress = {what.name: c.progress.get(what.name, 0) + 1}
                if not what.ready_turns or c.progress[what.name] >= what.ready_turns:
                    c.hand.add(what.name)
                self.tell(f"  {c.name} draws {what.name}")
            elif feat.verb == "use":
                power = c.powers[feat.name]
                if not target.standing or not power.reaches(c, target):
                    target = self.target_of(c, feat.target, power)
                if target is not None:
                    self.use_item(c, feat.name, target, together)
            elif feat.verb == "stand":
                c.prone = False
            else:
                if isinstance(what, Weapon):
                    far = self.span_of(c, what)
                elif what.power:
                    far = what.power.range if what.target != "self" else 0
                else:
                    far = self.farthest(c, what)
                if not target.standing or gap(c, target) > far:  # W-4
                    target = self.choose_target(c, feat.target, lambda e: gap(c, e) <= far)
                if target is None:
                    c.count["attacks_lost"] += feat.verb == "attack"
                elif feat.verb == "attack":
                    self.attack(c, what, target, dice, together, feat.sure)
                else:
                    self.cast(c, what, target, dice, together, feat.sure)

    def note_roll(self, c, net, botch):
        c.count["botches"] += botch
        if not botch:
            c.count["successes"] += max(0, net)

    def throw(self, c, check, dice, sure, harder=0):
        """MD-1, MD-2; MD-4: Willpower buys one sure success, and there is no botch."""
        net, botch = check.roll(dice, self.chance, harder)
        if sure:
            c.willed = True
            c.count["willpower_spent"] += 1
            net, botch = max(net, 0) + 1, False
        return net, botch

    def attack(self, c, weapon, target, dice, together, sure):
        c.attacked = True
        if c.first_attack is None:
            c.first_attack = self.round
        c.count["attacks"] += 1
        if not weapon.melee:
            target.under_fire = True
        if weapon.kind != "pool":
            hit, armour = weapon.strike(
                c.wounds() + c.off, target, self.chance, c.change("attack"))
            if hit:
                c.count["hits"] += 1
                self.hit(c, weapon, target, 0, armour, together)
            return
        c.count["dice_lost"] += c.off
        harder = c.change("difficulty") + target.change("evade")
        net, botch = self.throw(c, weapon.check, dice, sure, harder)
        self.tell(f"  {c.name} attacks {target.name} with {dice}: {net} {botch}")
        self.note_roll(c, net, botch)
        if botch:
            self.pay_for_botch(c, self.attack_botch, self.attack_botch_damage)
        if botch or net < weapon.check.required:  # MD-3, MA-9
            c.count["diminished"] += not botch and net >= 1
            return
        c.count["hits"] += 1
        extra = (net - weapon.check.required) * weapon.check.extra_damage
        self.hit(c, weapon, target, extra, True, together)

    def hit(self, c, weapon, target, extra, armour, together):
        rolled = weapon.damage.roll(extra + c.change("damage"), self.chance)
        if armour:
            rolled -= target.soak.roll(0, self.chance) + target.armor_now
        self.hurt(target, self.by_kind(target, weapon.damage_type, rolled), c, together)
        if target.standing:
            self.affect(c, weapon.power, target, {}, together)

    # --- effects ------------------------------------------------------------------------------

    def amount(self, value):
        return Amount(value, self.rules)

    def take(self, by, e, amount, together):
        self.hurt(e, amount, by, together)

    def soaked(self, e):
        return e.soak.roll(0, self.chance)

    def plain_check(self, e, table, needs, more=0, harder=0):
        """A check that is no attack: with wounds."""
        if "pool" in table:
            pool = Pool(table, self.rules)
            net, botch = pool.roll(max(0, pool.size + more - e.wounds()), self.chance, harder)
            self.last = net, pool
            return not botch and net >= pool.required
        if "skill" in table:
            shown = self.chance.die(100) - 1
            return shown == 0 or (shown != 99 and shown <= table["skill"] + more - 10 * e.wounds())
        dice = Dice(table["dice"])
        total = sum(self.chance.die(dice.sides) for _ in range(dice.count)) + dice.extra
        total += table.get("bonus", 0) + more - e.wounds()
        return total > needs if self.rules.get("hit", "meet") == "beat" else total >= needs

    def power_check(self, c, power, target):
        works = self.plain_check(c, power.check, power.needs, c.change("attack"),
                                 c.change("difficulty"))
        if not works:
            return None
        if "pool" in power.check:
            net, pool = self.last
            return {"extra": (net - pool.required) * power.check.get("extra_damage", 1)}
        return {}

    def pay_for_botch(self, c, cost, damage):
        """MD-2, MD-6."""
        if cost == "lose-turn":
            c.loses_turn = True
        elif cost == "damage":
            self.hurt(c, damage.roll(0, self.chance), None)

    def cast(self, c, spell, target, dice, together, sure):
        if c.spell is None:
            c.count["spells_cast"] += 1
            if spell.ritual:
                c.spell = spell
        c.aim = target
        c.count["dice_lost"] += c.off
        net, botch = self.throw(c, spell.check, dice, sure, c.change("difficulty"))
        self.tell(f"  {c.name} casts {spell.name} with {dice}: {net} {botch}")
        self.note_roll(c, net, botch)
        cost = (spell.sphere if spell.vulgar else 0) + spell.witnessed  # MD-6
        cost = max(cost, int(botch))
        if spell.ritual and self.paradox_once:  # MD-7
            cost = max(0, cost - c.ritual_paid)
            c.ritual_paid += cost
        c.count["paradox"] += cost
        if botch:
            if spell.ritual and self.ritual_botch == "ends":
                self.break_ritual(c)
            elif spell.ritual and self.ritual_botch == "loses-all":
                c.gathered = 0
            self.pay_for_botch(c, self.magick_botch, self.botch_damage)
            return
        if spell.power:  # W-11: what it does stands in its effects
            if net >= spell.check.required:
                extra = (net - spell.check.required) * spell.check.extra_damage
                self.affect(c, spell.power, target, {"extra": extra}, together)
                return
            c.count["diminished"] += net >= 1
            if net >= 1 and spell.diminished != "nothing":
                self.affect(c, spell.power, target, {"half": spell.diminished == "half"}, together)
            return
        if spell.ritual:
            c.gathered += max(0, net)
            net = c.gathered
            if net < spell.check.required + spell.price(gap(c, target)):
                return
            self.break_ritual(c)
        elif net < spell.check.required + spell.price(gap(c, target)):
            c.count["diminished"] += net >= 1
            if net > spell.price(gap(c, target)) and spell.diminished != "nothing":  # MD-3
                rolled = spell.damage.roll(0, self.chance)
                if spell.diminished == "half":
                    rolled = max(0, rolled) // 2
                self.hurt(target, rolled - target.soak.roll(0, self.chance) - target.armor_now,
                          c, together)
            return
        extra = net - spell.check.required - spell.price(gap(c, target))
        extra *= spell.check.extra_damage
        self.hurt(target, spell.damage.roll(extra, self.chance)
                  - target.soak.roll(0, self.chance) - target.armor_now, c, together)

    # --- turns --------------------------------------------------------------------------------

    def place_of(self, group):
        """The turns of those who act together: beat by beat (W-5)."""
        together = group if len(group) > 1 else ()
        for c in group:
            self.suffer_conditions(c)
        if self.decided():
            return
        for c in group:
            if c.loses_turn:
                c.loses_turn, c.done = False, True
        for _ in range(10_000):
            acting, moving = [], []
            for c in group:
                if c.done or not c.standing:
                    continue
                if c.walk is None or not self.walk_goes_on(c):
                    chosen = self.choose(c)
                    if chosen is None or chosen[0] == "pass":
                        c.done = True
                        continue
                    kind, planned, line = chosen
                    if kind == "leave":
                        c.done = True
                        self.leave(c, line.feats[0].verb, together)
                        continue
                    if kind == "act":
                        acting.append((c, planned))
                        continue
                    c.walk = [line.feats[0], line.feats[0].number or 1, planned, True]
                moving.append(c)
            if not acting and not moving:
                break
            for c, planned in acting:
                if c.standing and not self.decided():
                    self.act(c, planned, together)
            self.steps = []  # of this beat: none may cross an enemy's (W-5)
            for c in moving:
                if c.standing:
                    self.step(c, bool(together))
        for c in group:
            self.end_turn(c)
            self.turn_ends(c)
        for c in group:
            amount, c.waiting_damage = c.waiting_damage, 0
            self.apply(c, amount)
        self.changes_count(together)
        self.let_go(group)

    def decided(self):
        """W-6: at most one side stands."""
        return len({c.side for c in self.all if c.standing}) < 2

    def ending(self):
        sides = {c.side for c in self.all if c.standing}
        if len(sides) < 2:
            return sides.pop() if sides else "mutual"
        if self.ends_when:
            near = min(gap(a, b) for a in self.all if a.standing for b in self.enemies(a))
            for _, sign, bound in self.ends_when:
                if {">=": near >= int(bound), ">": near > int(bound), "<=": near <= int(bound),
                        "<": near < int(bound)}[sign]:
                    self.near = near
                    return "escaped" if ">" in sign else "caught"
        return None

    def play(self, chance):
        self.chance, self.near = chance, 0
        for c in self.all:
            c.reset()
        for self.round in range(1, self.max_rounds + 1):
            self.tell(f"Turn {self.round}")
            if self.round == 1 or not self.per_scene:
                self.roll_initiative()
            for c in self.all:
                c.begin_turn()
            for group in self.order():
                group = [c for c in group if c.standing]
                if not group:
                    continue
                self.tell(f" {[(c.name, c.total, c.at) for c in group]}")
                self.place_of(group)
                ending = self.ending()
                if ending:
                    return ending
            self.round_ends()
        return "timeout"


def measure(fight, n, seed):
    chance = RandomChance(seed)
    means = {}
    note = lambda metric, subject, x: means.setdefault((metric, subject), Mean()).add(x)
    for _ in range(n):
        ending = fight.play(chance)
        for side in fight.sides:
            note("win_rate", side, int(ending == side))
        for rate in ("mutual", "timeout") + (("escaped", "caught") if fight.ends_when else ()):
            note(rate, "encounter", int(ending == rate))
        note("rounds", "encounter", fight.round)
        if ending in ("escaped", "caught"):
            note("distance", "encounter", fight.near)
        for c in fight.all:
            c.count["health"] = c.hp
            c.count["uses_left"] = sum(c.uses.values())
            for metric in fight.counts:
                note(metric, c.name, c.count[metric])
            if c.first_attack is not None:
                note(fight.FIRST_ATTACK, c.name, c.first_attack)
    result = {}
    for (metric, subject), mean in means.items():
        result.setdefault(metric, {})[subject] = mean.table() | {"n": mean.n}
    return result


def main(system=Fight, about=__doc__):
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("scenario")
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", action="append")
    parser.add_argument("--trace", type=int, metavar="K", help="tell encounter K turn by turn")
    options = parser.parse_args()
    results = {}
    for name, scenario in variants_of(options.scenario):
        if options.variant and name not in options.variant:
            continue
        if options.trace is not None:
            fight, chance = system(scenario), RandomChance(options.seed)
            for _ in range(options.trace):
                fight.play(chance)
            print(f"--- {name}")
            fight.tell = print
            print("ends:", fight.play(chance))
            continue
        results[name] = measure(system(scenario), options.n, options.seed)
    if results:
        json.dump({"n": options.n, "seed": options.seed, "variants": results}, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # `| head` is no error
        sys.stderr.close()
