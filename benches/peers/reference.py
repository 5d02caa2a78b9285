#!/usr/bin/env python3
"""A slow, plain reading of the Tara-Corax rules, to compare the engine with.

It reads a scenario (docs/FORMAT.md), plays it with Python's own random numbers and prints the
means of every metric with their standard errors as JSON. It shares no code and no design with
the engine on purpose: each rule is written down as its text says it, and cites its id (TC-7).

    python3 benches/peers/reference.py scenarios/walled-duel.toml --n 2000
    python3 benches/peers/reference.py benches/peers/fights/duel.toml --trace 0
    python3 benches/peers/reference.py --self-test

Needs Python 3.11 or later and nothing else.
"""

import argparse
import json
import math
import random
import re
import sys
import tomllib
from pathlib import Path

FREE, QUARTER, HALF, FULL = 0, 5, 10, 15  # TC-5
COSTS = {"free": FREE, "quarter": QUARTER, "half": HALF, "full": FULL}
# TC-8: Marks after the first at which each of n attacks comes.
OFFSETS = {1: [0], 2: [0, 7], 3: [0, 5, 10], 4: [0, 4, 8, 12], 5: [0, 3, 6, 9, 12]}
CHARGES = {"frenzied_charge", "mounted_charge", "lansing_charge"}  # TC-17
FIRING = {"firing_assault", "stand_and_fire"}  # TC-19
COUNTS = ["health", "damage", "damage_taken", "attacks", "hits", "attacks_forfeited",
          "attacks_lost", "units_moved", "spells_cast", "spells_fizzled"]
OPTIONAL = ["healed", "items_used", "stunned", "fled", "surrendered"]


# ---------------------------------------------------------------------------------------------
# Dice
# ---------------------------------------------------------------------------------------------

class Dice:
    """NdS, NdS+K, NdS-K or a whole number."""

    def __init__(self, text):
        match = re.fullmatch(r"\s*(?:(\d*)d(\d+))?\s*([+-]?\s*\d+)?\s*", str(text))
        if not match or not str(text).strip():
            raise ValueError(f"dice: {text!r}")
        count, sides, extra = match.groups()
        self.count = int(count or 1) if sides else 0
        self.sides = int(sides or 0)
        self.extra = int(extra.replace(" ", "")) if extra else 0


class RandomChance:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def die(self, sides, why=""):
        return self.random.randrange(sides) + 1

    def happens(self, probability):
        return probability >= 1 or (probability > 0 and self.random.random() < probability)


class ScriptedChance:
    """Faces in the order in which they are rolled; too many or too few is an error."""

    def __init__(self, faces):
        self.faces = list(faces)

    def die(self, sides, why=""):
        if not self.faces:
            raise AssertionError(f"the script has no die left for {why}")
        face = self.faces.pop(0)
        if isinstance(face, tuple):  # (name of the roll, face)
            expected, face = face
            assert expected in why, f"script says {expected}, rolled was {why}"
        assert 1 <= face <= sides, f"{why}: {face} on a d{sides}"
        return face

    def happens(self, probability):
        if probability in (0, 1):
            return bool(probability)
        return self.die(100, "chance") <= probability * 100


# ---------------------------------------------------------------------------------------------
# Policies
# ---------------------------------------------------------------------------------------------

VARIABLES = {
    "distance", "mark", "marks", "score", "round", "hp", "max_hp", "hp_percent", "target.hp",
    "target.max_hp", "target.hp_percent", "move_left", "moved", "acted", "attacked", "ready",
    "in_melee", "threatened", "casting", "channelling", "target.casting", "target.channelling",
    "target.ready", "target.in_reach", "allies", "enemies", "prone", "target.prone", "can_car",
    "ally.hp", "ally.hp_percent", "ally.distance",
}
TARGETS = ("nearest", "weakest", "strongest", "casting", "ally", "weakest_ally", "self")
SPELLINGS = {"health": "hp", "health_percent": "hp_percent", "max_health": "max_hp"}
CONDITION_TOKEN = re.compile(
    r'\s*(?:(\d+)|((?:uses|in_hand|progress)\.(?:"[^"]+"|[\w-]+)'
    r'|uses\([^)]+\)|(?:target\.)?has\s+(?:"[^"]+"|[\w-]+))|([A-Za-z_][\w.]*)'
    r'|(<=|>=|!=|[<>=+*()-]))')


class Condition:
    """A condition, turned into a Python expression over a View."""

    def __init__(self, text):
        self.text = text
        words, at = [], 0
        text = text.strip()
        while at < len(text):
            match = CONDITION_TOKEN.match(text, at)
            if not match:
                raise ValueError(f"condition: {text!r} at {at}")
            number, keyed, word, sign = match.groups()
            if number is not None:
                words.append(number)
            elif keyed is not None:
                what, name = re.fullmatch(r"(target\.has|has|\w+)[\s.(]+(.*?)\)?", keyed).groups()
                words.append(f"v.{what.replace('.', '_')}({name.strip(chr(34))!r})")
            elif word in ("and", "or", "not"):
                words.append(word)
            elif word in ("true", "false"):
                words.append(word.capitalize())
            elif word is not None:
                owner, dot, last = word.rpartition(".")
                word = owner + dot + SPELLINGS.get(last, last)
                if word not in VARIABLES:
                    raise ValueError(f"unknown variable {word!r}")
                words.append("v." + word.replace(".", "_"))
            else:
                words.append("==" if sign == "=" else sign)
            at = match.end()
        self.code = eval("lambda v: " + " ".join(words))  # noqa: S307 - tokens checked above

    def __call__(self, view):
        return self.code(view)


class Line:
    """One line of a policy: ACTION [ARGUMENTS] [if CONDITION]."""

    def __init__(self, text):
        self.text = text
        self.number = self.to = self.weapon = self.name = self.until = self.way = None
        self.target = ("nearest",)
        words = re.findall(r'"[^"]*"|[^\s"]+', text)
        spans = [m.span() for m in re.finditer(r'"[^"]*"|[^\s"]+', text)]
        self.condition = None
        if "if" in words:
            at = words.index("if")
            self.condition = Condition(text[spans[at][1]:])
            text = text[:spans[at][0]]
            words, spans = words[:at], spans[:at]
        if "until" in words:
            at = words.index("until")
            self.until = Condition(text[spans[at][1]:])
            words = words[:at]
        self.verb = words.pop(0)
        take = lambda: words.pop(0).strip('"')
        if self.verb in ("advance", "retreat"):
            if words and words[0].isdigit():
                self.number = int(take())
            if words and words[0] == "to":
                take()
                self.to = int(take())
        elif self.verb in ("cast", "channel", "use", "draw"):
            self.name = take()
        elif self.verb == "combat_cast":
            self.way = take()
        elif self.verb == "wait":
            self.number = int(take())
        elif self.verb == "delay":
            self.way = take()
        elif self.verb not in ("attack", "desperate", "set", "car", "charge", "stand", "pass",
                               "flee", "surrender"):
            raise ValueError(f"unknown action {self.verb!r}")
        if words and words[0] != "with":
            word = take()
            self.target = (word,) if word in TARGETS else ("name", word)
        if words and words[0] == "with":
            take()
            self.weapon = take()
        if words:
            raise ValueError(f"left over in {self.text!r}: {words}")


def most(c):
    """The most health that it may have, by what lasts on it too."""
    return getattr(c, "most_hp", c.max_hp)


class View:
    """What a condition may ask: the variables of docs/FORMAT.md."""

    def __init__(self, fight, me, target):
        self.fight, self.me, self.foe = fight, me, target

    distance = property(lambda v: gap(v.me, v.foe))
    mark = property(lambda v: v.fight.mark)
    marks = property(lambda v: min(v.me.channel.marks, v.fight.mark) if v.me.channel
                     else v.me.marks)
    score = property(lambda v: v.me.score)
    round = property(lambda v: v.fight.round)
    hp = property(lambda v: v.me.hp)
    max_hp = property(lambda v: most(v.me))
    hp_percent = property(lambda v: v.me.hp * 100 // most(v.me))
    target_hp = property(lambda v: v.foe.hp)
    target_max_hp = property(lambda v: most(v.foe))
    target_hp_percent = property(lambda v: v.foe.hp * 100 // most(v.foe))
    move_left = property(lambda v: v.me.move_left)
    moved = property(lambda v: v.me.moved)
    acted = property(lambda v: v.me.acted)
    attacked = property(lambda v: v.me.attack_actions > 0)
    ready = property(lambda v: not v.fight.something_unset(v.me))
    in_melee = property(lambda v: v.fight.in_melee(v.me))
    threatened = property(lambda v: any(v.fight.reaches(e, v.me) for e in v.fight.enemies(v.me)))
    casting = property(lambda v: v.me.spell is not None)
    channelling = property(lambda v: v.me.channel is not None)
    target_casting = property(lambda v: v.foe.spell is not None)
    target_channelling = property(lambda v: v.foe.channel is not None)
    target_ready = property(lambda v: not v.fight.something_unset(v.foe))
    target_in_reach = property(lambda v: v.fight.reaches(v.me, v.foe))
    allies = property(lambda v: sum(1 for c in v.fight.all
                                    if c.side == v.me.side and c is not v.me and c.standing))
    enemies = property(lambda v: len(v.fight.enemies(v.me)))
    prone = property(lambda v: v.me.prone)
    target_prone = property(lambda v: v.foe.prone)
    can_car = property(lambda v: v.me.car is not None and v.me.cars < v.fight.car_per_round)

    def uses(self, item):
        return self.me.uses.get(item, 0)

    def has(self, condition):
        return self.fight.bears(self.me, condition)

    def target_has(self, condition):
        return self.fight.bears(self.foe, condition)

    @property
    def ally(self):
        """The ally that the line is about, or else the weakest."""
        if self.foe is not None and self.foe.side == self.me.side and self.foe is not self.me:
            return self.foe
        return min(self.fight.friends(self.me), key=lambda a: a.hp, default=None)

    ally_hp = property(lambda v: v.ally.hp if v.ally else 0)
    ally_hp_percent = property(lambda v: v.ally.hp * 100 // most(v.ally) if v.ally else 0)
    ally_distance = property(lambda v: gap(v.me, v.ally) if v.ally else 0)

    def in_hand(self, weapon):
        return weapon in self.me.hand


# ---------------------------------------------------------------------------------------------
# The scenario
# ---------------------------------------------------------------------------------------------

class Weapon:
    def __init__(self, name, table, rules):
        self.name = name
        self.kind = table["kind"]
        self.melee = self.kind == "melee"
        self.span = table.get("reach", 0) if self.melee else table["range"]  # W-2
        self.attacks = table.get("attacks", 1)
        self.dice = Dice(table["check"].get("dice", "2d10"))
        self.bonus = table["check"].get("bonus", 0)
        self.mastery = table.get("mastery", 0)
        self.damage = Dice(table["damage"])
        self.damage_type = table.get("damage_type")
        self.uses = table.get("uses")
        self.effects = table.get("effects", [])
        own = rules.get("attack_offsets", {})
        self.offsets = table.get("attack_offsets") or own.get(str(self.attacks)) \
            or OFFSETS[self.attacks]


class Power:
    """What a spell or an item does to those it reaches (W-11)."""

    def __init__(self, table, own_target):
        self.target = table.get("target", own_target)
        self.range = table.get("range", 0)
        self.area = table.get("area")
        self.spares = table.get("spares", "nobody") == "allies"
        check = table.get("check")
        self.dice = Dice(check.get("dice", "2d10")) if check else None
        self.bonus = check.get("bonus", 0) if check else 0
        self.needs = table.get("needs")
        self.resist = table.get("resist")
        self.effects = list(table.get("effects", []))
        for short in ("heal", "damage"):
            if short in table:
                self.effects.insert(0, {short: table[short],
                                        "kind": table.get("damage_type")})


class Lasting:
    """A condition that lasts on a combatant (W-11)."""

    def __init__(self, name, kind, left, source):
        self.name, self.left, self.source = name, left, source
        self.kind = kind


class SpellKind:
    def __init__(self, name, table):
        self.name = name
        self.channel = table.get("channel", False)
        self.time = table.get("casting_time", 0)
        self.power = Power(table, "enemy")
        self.range = self.power.range


class Combatant:
    """Who fights: what the scenario says (fixed), and the state of one encounter."""

    def __init__(self, table, name, index, scenario):
        rules = scenario.get("rules", {})
        self.name, self.index, self.group, self.side = name, index, table["name"], table["side"]
        self.start = table["position"]
        self.agility = table["attributes"]["agility"]
        self.intellect = table["attributes"]["intellect"]
        self.penalty = table.get("evade_modifier", 0) // 2  # TC-2
        self.characteristic = (self.agility + self.intellect) // 2  # TC-2
        self.tie_key = (self.characteristic, self.agility, self.intellect)  # TC-20
        self.move, self.evade = table["move"], table["evade"]
        self.armor, self.max_hp = table.get("armor", 0), table["health"]
        self.weapons = [Weapon(w, scenario["weapons"][w], rules) for w in table.get("weapons", [])]
        self.undrawn = set(table.get("undrawn", []))
        self.spells = {s: SpellKind(s, scenario["spells"][s]) for s in table.get("spells", [])}
        self.items = {i: scenario["items"][i] for i in table.get("items", [])}
        self.powers = {i: Power(item, "self") for i, item in self.items.items()}
        self.resists = table.get("resists", {})
        self.morale = table.get("morale")
        enters = table.get("enters", 1)  # W-12
        self.waits = enters if isinstance(enters, dict) else {"round": enters}
        self.waits_for = Condition(self.waits["when"]) if "when" in self.waits else None
        self.starts_there = self.waits == {"round": 1}
        self.abilities = set(table.get("abilities", []))
        self.car = table.get("car")
        self.combat_casting = table.get("combat_casting")
        self.starts_prone = table.get("prone", False)
        policy = table["policy"]
        lines = scenario.get("policies", {})[policy] if isinstance(policy, str) else policy
        self.policy = [Line(text) for text in lines]

    standing = property(lambda self: self.hp > 0 and not self.gone and self.there)
    # What conditions and ground make of its numbers (W-11, W-15).
    evade_now = property(lambda self: self.evade + self.change("evade"))
    armor_now = property(lambda self: max(0, self.armor + self.change("armor")))
    stunned = property(lambda self: any(
        lasting.kind.get("modifies", {}).get("actions") == 0 for lasting in self.conditions))

    def change(self, number):
        return sum(lasting.kind.get("modifies", {}).get(number, 0) for lasting in self.conditions) \
            + sum(ground["modifies"].get(number, 0) for ground in self.ground
                  if ground["stretch"][0] <= self.at <= ground["stretch"][1])

    def begin_encounter(self):
        self.hp, self.at, self.prone = self.max_hp, self.start, self.starts_prone
        self.hand = {w.name for w in self.weapons} - self.undrawn
        self.uses = {name: item.get("uses", 1) for name, item in self.items.items()}
        self.uses.update({w.name: w.uses for w in self.weapons if w.uses is not None})
        self.conditions, self.held = [], 0
        self.gone = False          # W-10
        self.there = self.starts_there
        self.shot_unset = False    # TC-10: everybody starts Set ...
        self.cast_set = self.starts_cast_set  # TC-14: ... for Combat Casting as an option
        self.moved_since_shot = False  # TC-11: the next ranged attack is a mover's
        self.spell = self.channel = None
        self.owed = 0              # TC-12: Marks to be taken from the next Score
        self.count = dict.fromkeys(COUNTS + OPTIONAL, 0)
        self.begin_round()

    def begin_round(self):
        self.score = self.marks = 0
        self.free_at = -1          # Mark at which it may decide next
        self.passed = False
        self.move_used = 0
        self.moved = False         # by any means
        self.acted = False         # moved, or an action that is not free
        self.did_action = False    # TC-5: spoils the Full-Action exception (a CAR move does not)
        self.did_other = False     # TC-10: spoils a full volley
        self.touched = False       # TC-15: anything at all, reactions included
        self.melee_unset = False   # TC-9
        self.into_melee = False    # TC-9: a single attack
        self.attack_actions = self.cars = self.charges = self.counters = 0
        self.walk = None           # a committed move
        self.volleys = []
        self.broke_channel = False
        self.asked_mark = None     # Combat Casting and Channel conditions: once a Mark
        if self.mover_shot == "round":
            self.moved_since_shot = False

    @property
    def move_left(self):
        return max(0, self.move + self.change("move")) - self.move_used


class Walk:
    def __init__(self, line, target, left, due):
        self.line, self.target, self.left, self.due = line, target, left, due
        self.cancelled = False


class Volley:
    def __init__(self, weapon, line, target, desperate, mastery, due):
        self.weapon, self.line, self.target = weapon, line, target
        self.desperate, self.mastery, self.due = desperate, mastery, due


class Casting:
    def __init__(self, kind, line, target, start):
        self.kind, self.line, self.target, self.start = kind, line, target, start
        self.due = None            # (round, mark)
        self.may_move, self.used_move = False, False  # TC-14


class Over(Exception):
    """The encounter has ended (W-6); a chase says how."""


def gap(one, other):
    return abs(one.at - other.at)  # W-1


class Fight:
    def __init__(self, scenario):
        self.scenario = scenario
        rules = scenario.get("rules", {})
        initiative = rules.get("initiative", {})
        self.simple = rules.get("round", "full") == "simple"
        self.fixed = initiative.get("mode", "rolled") == "fixed"
        self.explode = initiative.get("explode", "once")
        self.halve_marks = initiative.get("delay_marks", "halved") == "halved"
        self.halve_roll = initiative.get("delay_half", "score") == "roll"
        self.carry_over = rules.get("carry_over", "full-action")
        self.attack_limit = rules.get("attack_actions", 1)
        self.meet = rules.get("hit", "meet") == "meet"
        self.melee_unsets = rules.get("melee_unsets", True)
        self.fizzle_chance = rules.get("fizzle_chance", 1)
        self.damage_breaks = rules.get("channel_damage_breaks", False)
        self.car_per_round = rules.get("car_per_round", 1)
        self.car_is_move = rules.get("car_counts_as_move", False)
        self.charges_per_round = rules.get("charges_per_round", 1)
        self.counters_per_round = rules.get("counters_per_round", 1)
        self.may_wait = rules.get("wait", True)
        encounter = scenario.get("encounter", {})
        self.max_rounds = encounter.get("max_rounds", 50)
        ends = encounter.get("ends_when", [])
        self.ends_when = [c.split() for c in ([ends] if isinstance(ends, str) else ends)]
        self.low, self.high = encounter.get("arena", (-math.inf, math.inf))
        self.all = []
        for table in scenario["combatants"]:
            count = table.get("count", 1)
            for number in range(1, count + 1):
                name = table["name"] if "count" not in table or count == 1 \
                    else f"{table['name']} {number}"
                self.all.append(Combatant(table, name, len(self.all), scenario))
        self.kinds = scenario.get("conditions", {})
        self.hazards = list(encounter.get("hazards", {}).values())
        self.waits_for_reserves = encounter.get("waits_for_reserves", False)
        self.ground = encounter.get("ground", {})
        self.goals = list(encounter.get("goals", {}).values())
        self.exits = set(encounter.get("exits", [])) | {self.low, self.high}
        for c in self.all:
            c.ground = list(self.ground.values())
            c.mover_shot = rules.get("mover_shot", "round")
            c.starts_cast_set = rules.get("combat_casting_set", "always") == "if-unset"
        self.sides = list(dict.fromkeys(c.side for c in self.all))
        # TC-20: tied combatants stand in one group; groups in order, members in file order.
        self.groups = [[c for c in self.all if c.tie_key == key]
                       for key in sorted({c.tie_key for c in self.all}, reverse=True)]
        self.tell = None           # a function that takes a line of text
        self.events = None         # a list, for the self-test

    # ---- telling -----------------------------------------------------------------------------

    def say(self, who, what, detail=""):
        if self.events is not None:
            self.events.append((self.round, self.mark, who.name, what))
        if self.tell:
            self.tell(f"R{self.round} {self.mark:>2}  {who.name}: {what} {detail}  "
                      f"[at {who.at}, hp {who.hp}, marks {who.marks}]")

    # ---- questions about the state -----------------------------------------------------------

    def enemies(self, c):
        return [e for e in self.all if e.side != c.side and e.standing]

    def friends(self, c):
        return [a for a in self.all if a.side == c.side and a is not c and a.standing]

    def bears(self, c, name):
        """Whether a condition lasts on it, or it stands on that ground (W-11, W-15)."""
        if c is None:
            return False
        stretch = self.ground.get(name, {}).get("stretch")
        return any(lasting.name == name for lasting in c.conditions) \
            or (stretch is not None and stretch[0] <= c.at <= stretch[1])

    def melee_weapons(self, c):
        return [w for w in c.weapons if w.melee and w.name in c.hand]

    def reach(self, c):
        """Own reach: the longest of the melee weapons in hand; None without one (W-2)."""
        return max((w.span for w in self.melee_weapons(c)), default=None)

    def reaches(self, c, other):
        reach = self.reach(c)
        return reach is not None and gap(c, other) <= reach

    def in_melee(self, c):
        return any(self.reaches(c, e) for e in self.enemies(c))

    def needs_set_to_shoot(self, c, weapon):
        # TC-10; thrown weapons and TC-19 never need it.
        return weapon.kind == "ranged" and c.shot_unset and not c.abilities & FIRING

    def something_unset(self, c):
        """Whether a Set would help (TC-9, TC-10, TC-14)."""
        if c.melee_unset and self.in_melee(c):
            return True
        if any(w.name in c.hand and self.needs_set_to_shoot(c, w) for w in c.weapons):
            return True
        return c.combat_casting is not None and not c.cast_set

    def choose_target(self, c, spec, fits):
        """W-4."""
        if spec[0] == "self":
            return c
        if spec[0] in ("ally", "weakest_ally"):
            key = (lambda a: gap(c, a)) if spec[0] == "ally" else (lambda a: a.hp)
            return min((a for a in self.friends(c) if fits(a)), key=key, default=None)
        fitting = [e for e in self.enemies(c) if fits(e)]
        if spec[0] == "name":
            named = [e for e in self.all if spec[1] in (e.group, e.name)]
            if any(e.standing for e in named):
                fitting = [e for e in fitting if e in named]
            spec = ("nearest",)  # the nearest of that name; or, if it has fallen, of all
        if spec[0] == "casting":
            fitting = [e for e in fitting if e.spell is not None]
        if not fitting:
            return None
        if spec[0] == "nearest":
            return min(fitting, key=lambda e: gap(c, e))
        if spec[0] == "weakest":
            return min(fitting, key=lambda e: e.hp)
        if spec[0] == "strongest":
            return max(fitting, key=lambda e: e.hp)
        return fitting[0]

    def keep_target(self, c, spec, target, fits):
        """W-4: kept while the action lasts; one that fell or left is replaced."""
        if target.standing and fits(target):
            return target
        return self.choose_target(c, spec, fits)

    def affordable(self, c, cost):
        # TC-5: a Full Action is always allowed as the first action of the Round.
        return cost <= c.marks or (cost == FULL and not c.did_action)

    def affordable_or_owed(self, c, cost):
        """TC-5: as an option a Half or Quarter Action with too few Marks."""
        owed = self.carry_over == "any" and cost in (QUARTER, HALF) and c.marks >= 1
        return owed or self.affordable(c, cost)

    # ---- movement ----------------------------------------------------------------------------

    def away(self, c, target):
        """W-1: the direction away from the target."""
        if c.at != target.at:
            return 1 if c.at > target.at else -1
        if c.start != target.start:
            return 1 if c.start > target.start else -1
        return -1 if c.side == self.sides[0] else 1

    def step_possible(self, c, way, to, target):
        """W-1, W-3: whether one more Unit is wanted and can be made."""
        if way == "advance":
            return gap(c, target) > (to if to is not None else (self.reach(c) or 0))
        if to is not None and gap(c, target) >= to:
            return False
        return self.low <= c.at + self.away(c, target) <= self.high

    def direction(self, c, way, target):
        away = self.away(c, target)
        return -away if way == "advance" else away

    def move_unit(self, c, direction, how):
        """One Unit, by whatever means, with all that follows from it at once."""
        foes = self.enemies(c)
        before = {e.index: gap(c, e) for e in foes}
        c.at += direction
        c.count["units_moved"] += 1
        if how != "car" or self.car_is_move:
            c.move_used += 1
        c.moved = c.acted = c.did_other = c.touched = True
        if how in ("step", "charge"):
            c.did_action = True       # TC-5: movement counts, what is free does not
        c.melee_unset = True          # TC-9
        c.shot_unset = True           # TC-10
        c.cast_set = False            # TC-14
        c.moved_since_shot = True     # TC-11
        self.say(c, how)
        own = self.reach(c)
        for e in foes:
            if own is not None and before[e.index] > own >= gap(c, e):
                c.into_melee = True   # TC-9: by any means
            theirs = self.reach(e)
            if theirs is not None and before[e.index] > theirs >= gap(c, e):
                e.melee_unset = False  # TC-9: needs no Set until it moves again
        # TC-16: reactions, in TC-20 order.
        crossing = [e for e in foes if e.car is not None and before[e.index] > e.car >= gap(c, e)]
        crossing.sort(key=lambda e: e.tie_key, reverse=True)
        for e in crossing:
            if self.car_allowed(e, c) and any(
                    line.verb == "car" and self.holds(line, e, c) for line in e.policy):
                self.make_car(e, c)

    def moves(self, c):
        """What a move leaves behind, even one of which no Unit is made (TC-9 to TC-11, TC-14)."""
        c.moved = c.acted = c.did_other = c.touched = True
        c.melee_unset = c.shot_unset = c.moved_since_shot = True
        c.cast_set = False

    def moves_into_melee(self, c):
        self.moves(c)
        c.into_melee = True

    def car_allowed(self, c, target):
        """TC-16."""
        reach = self.reach(c)
        return (c.standing and target.standing and c.car is not None and not c.prone
                and not c.stunned
                and c.cars < self.car_per_round and reach is not None
                and c.spell is None and c.channel is None and not self.in_melee(c)
                and gap(c, target) <= c.car
                and (not self.car_is_move or gap(c, target) - reach <= c.move_left))

    def make_car(self, c, target):
        c.cars += 1
        self.moves_into_melee(c)      # TC-16: also if the enemy closes the last Units
        if c.walk:                    # ends its own move or volley, Marks stay spent
            c.walk.cancelled = True
        c.volleys = []
        self.say(c, "car begins", f"towards {target.name}")
        while gap(c, target) > self.reach(c) and target.standing:
            self.move_unit(c, self.direction(c, "advance", target), "car")
        c.melee_unset = False         # Set at once, for melee alone (TC-10)

    def begin_walk(self, c, line, target):
        c.did_action = True           # TC-5: a move counts from its beginning
        self.moves(c)
        left = line.number if line.number is not None else 1
        c.walk = Walk(line, target, left, self.mark if self.simple else self.mark - 1)  # TC-6

    def make_step(self, c):
        """The step that is due; returns whether it was a step and not one cut off by a CAR move."""
        walk, line = c.walk, c.walk.line
        c.marks -= 1
        if walk.cancelled:
            c.walk, c.free_at = None, self.mark
            return False
        anyone = lambda e: True
        target = self.keep_target(c, line.target, walk.target, anyone)
        walk.left -= 1
        if target is not None:
            walk.target = target
            how = "retreat" if line.verb == "flee" else line.verb
            here, way = c.at, self.direction(c, how, target)
            if (self.step_possible(c, how, line.to, target) and c.move_left > 0
                    and not any(e.side != c.side and made == [here + way, here]
                                for e, *made in self.made)):
                self.made.append((c, here, here + way))
                self.move_unit(c, way, "step")
            else:
                # W-3: still costs its Mark. W-5: so does one that would cross an enemy's; the
                # rest of the walk goes on.
                self.say(c, "step spent")
        goes_on = (target is not None and not walk.cancelled and walk.left > 0 and c.marks > 0
                   and c.move_left > 0 and self.step_possible(c, how, line.to, target))
        if goes_on:
            walk.due = self.mark if self.simple else self.mark - 1
        else:
            c.walk, c.free_at = None, self.mark
        return True

    # ---- attacks and damage ------------------------------------------------------------------

    def roll(self, dice, why):
        return [self.chance.die(dice.sides, why) for _ in range(dice.count)]

    def passes(self, total, evade):
        return total >= evade if self.meet else total > evade  # TC-22

    def damage(self, source, target, dice, kind=None):
        total = sum(self.roll(dice, f"{source.name} damage")) + dice.extra + source.change("damage")
        self.harm(source, target, total - target.armor_now, kind)

    def harm(self, source, target, amount, kind):
        """Damage when armour has come off; of a hazard it is nobody's (W-14, W-16)."""
        amount = max(0, amount)
        resists = target.resists.get(kind) if kind else None
        if resists == "half":
            amount //= 2
        elif resists == "none":
            amount = 0
        elif resists == "double":
            amount *= 2
        elif resists is not None:
            amount = max(0, amount - resists)
        if source is None:
            target.count["damage_taken"] += amount
            self.suffer(None, target, amount)
            return
        source.count["damage"] += amount if source is not target else 0
        target.count["damage_taken"] += amount
        if source is not target and source in self.acting and target in self.acting:
            self.deferred.append((source, target, amount))  # W-5
        else:
            self.suffer(source, target, amount)
            self.check_end()

    def suffer(self, source, target, amount):
        if amount == 0:
            return
        stood = target.standing  # several hits of one instant fell it once (W-5)
        target.hp = max(0, target.hp - amount)
        self.say(target, "hurt", f"by {amount} from {source.name if source else 'a hazard'}")
        target.conditions = [l for l in target.conditions if l.kind.get("ends") != "damage"]
        casting = target.spell
        if casting is not None:
            # TC-13: a tie at the very instant of the start or the effect does not count.
            tied = source is not None and source.tie_key == target.tie_key
            instant = (self.round, self.mark) in (casting.start, casting.due)
            if not (tied and instant) and self.chance.happens(self.fizzle_chance):
                target.spell = None
                target.count["spells_fizzled"] += 1
                self.say(target, "fizzle", casting.kind.name)
        if target.channel is not None and self.damage_breaks:
            self.break_channel(target)
        if stood and not target.standing:
            target.spell = target.channel = target.walk = None
            target.volleys = []
            self.say(target, "falls")
            self.is_down(target)

    def check_end(self):
        if len({c.side for c in self.all  # W-6, W-12
                if c.standing or (self.waits_for_reserves and not c.there)}) <= 1:
            raise Over
        for goal in self.goals:       # W-17
            if "down" in goal and not any(c.standing for c in self.all
                                          if {c.name, c.group} & set(goal["down"])):
                raise Over(goal["wins"])

    # ---- effects (W-10 to W-17) --------------------------------------------------------------

    def leave(self, c, how):
        """W-10: out of the fight, with the health that is left."""
        c.gone = True
        c.spell = c.channel = c.walk = None
        c.volleys = []
        c.count[how] += 1
        self.say(c, how)
        self.is_down(c)

    def is_down(self, c):
        """W-13: who fell or left may shake its side."""
        mates = [a for a in self.all if a.side == c.side]
        down = sum(1 for a in mates if a.there and not a.standing)
        for a in mates:
            if not a.morale or not a.standing:
                continue
            when = a.morale["when"]
            if when == "half_side_down" and not (2 * down >= len(mates) > 2 * (down - 1)):
                continue
            check = a.morale["check"]
            dice = Dice(check.get("dice", "2d10"))
            total = sum(self.roll(dice, f"{a.name} morale")) + dice.extra + check.get("bonus", 0)
            if total < a.morale["needs"]:
                self.give(a, a.morale["condition"], a.morale.get("lasts"), None)

    def give(self, c, name, lasts, source):
        """A condition begins (W-11)."""
        kind = self.kinds[name]
        left = int(str(lasts).split()[0]) if lasts is not None else None
        here = [l for l in c.conditions if l.name == name]
        stacks = kind.get("stacks", "no")
        if here and stacks != "add":
            if stacks == "refresh":
                here[0].left, here[0].source = left, source
            elif stacks == "highest" and left is not None and left > here[0].left:
                here[0].left, here[0].source = left, source
            return
        if len(c.conditions) < 8:
            c.conditions.append(Lasting(name, kind, left, source))
            self.say(c, "has", name)
        self.note_stun(c)

    def note_stun(self, c):
        """Rounds in which it is stunned are counted."""
        if c.stunned and c.standing and c.held != self.round:
            c.held = self.round
            c.count["stunned"] += 1

    def check_passes(self, c, check, needs):
        dice = Dice(check.get("dice", "2d10"))
        total = sum(self.roll(dice, f"{c.name} resists")) + dice.extra + check.get("bonus", 0)
        return self.passes(total, needs)

    def affect(self, c, power, target):
        """What an item or a spell does; `c` is None for a hazard."""
        total = None
        if power.dice is not None:    # once, before all else
            faces = self.roll(power.dice, f"{c.name} check")
            total = sum(faces) + power.dice.extra + power.bonus + c.change("attack")
            needs = power.needs if power.needs is not None else target.evade_now
            if power.target != "point" and not self.passes(total, needs):
                self.say(c, "fails", f"{faces}")
                return
        centre = target.at
        if power.area is None:
            reached = [target]
        else:
            reached = [e for e in self.all if e.standing and abs(e.at - centre) <= power.area
                       and not (power.spares and e.side == c.side)]
        self.strike(c, power, reached, centre, total)

    def strike(self, c, power, reached, centre, total):
        resisted = set()
        if power.resist:              # each for itself, before the first effect
            for e in reached:
                if power.resist["check"] == "evade":
                    resists = not self.passes(total, e.evade_now)
                else:
                    resists = self.check_passes(e, power.resist["check"], power.resist["needs"])
                if resists:
                    resisted.add(e)
        success = power.resist.get("success", "none") if power.resist else None
        share = {"half": lambda x: x // 2, "none": lambda x: 0, "all": lambda x: x}
        for effect in power.effects:
            rolled = None
            for short in ("damage", "heal"):
                if short in effect:   # once for all
                    dice = Dice(effect[short])
                    rolled = sum(self.roll(dice, short)) + dice.extra
            for e in reached:
                if not e.standing:
                    continue
                less = share[success] if e in resisted else lambda x: x
                if "damage" in effect:
                    amount = max(0, rolled - effect.get("falloff", 0) * abs(e.at - centre))
                    armor = max(0, e.armor_now - effect.get("pierces", 0))
                    self.harm(c, e, less(amount) - armor,
                              effect.get("damage_type", effect.get("kind")))
                elif "heal" in effect:
                    self.heal(c, e, less(rolled))
                elif e in resisted:
                    continue          # other effects come to nothing
                elif c is not None and c is not e and c in self.acting and e in self.acting:
                    self.put_off.append((c, e, effect))  # W-5
                else:
                    self.change(c, e, effect)

    def change(self, c, e, effect):
        if "condition" in effect:
            self.give(e, effect["condition"], effect.get("lasts"), c)
        elif "removes" in effect:
            e.conditions = [l for l in e.conditions if l.name != effect["removes"]]
        elif "push" in effect or "pull" in effect:
            self.shift(c, e, effect)
        elif effect.get("prone"):
            e.prone = True
        elif effect.get("interrupts") and (e.spell or e.channel):
            if e.spell:
                e.count["spells_fizzled"] += 1
                e.spell = None
            elif e.channel:
                self.break_channel(e)

    def heal(self, c, e, amount):
        healed = min(max(0, amount), e.max_hp - e.hp)
        e.hp += healed
        c.count["healed"] += healed
        self.say(e, "healed", str(healed))

    def shift(self, c, e, effect):
        away = self.away(e, c)
        if "push" in effect:
            e.at = max(self.low, min(self.high, e.at + away * effect["push"]))
        else:
            e.at -= away * min(effect["pull"], gap(c, e))
        self.say(e, "shifted")

    def coming(self, now):
        """W-12: those who come in now, all looked at before any does."""
        def comes(c):
            falls = [d for d in self.all if c.waits.get("falls") in (d.name, d.group)]
            return (not c.there and now(c.waits.get("mark"))
                    and self.round >= c.waits.get("round", 1)
                    and not any(d.standing or not d.there for d in falls)
                    and (c.waits_for is None or c.waits_for(View(self, c, None))))
        return [c for c in self.all if comes(c)]

    def come_at_mark(self):
        """W-12: the Marks before are lost."""
        first = self.mark == 30
        for c in self.coming(lambda mark: mark is not None
                             and (mark == self.mark or (first and mark > 30))):
            c.there = True
            self.initiative(c)
            c.free_at, c.marks = min(c.free_at, self.mark), min(c.marks, self.mark)

    def round_begins(self):
        """Reserves, uses that come back, hazards, goals, what goes on hurting; before Scores."""
        for c in self.coming(lambda mark: mark is None):
            c.there = True
        for c in self.all:            # a use comes back
            for name, thing in [(i, t) for i, t in c.items.items()] + [
                    (w.name, self.scenario["weapons"][w.name]) for w in c.weapons]:
                recharge, most = thing.get("recharge"), thing.get("uses", 1)
                if recharge is None or not c.standing or self.round == 1:
                    continue
                if isinstance(recharge, int):
                    back = (self.round - 1) % recharge == 0
                elif c.uses[name] < most:
                    dice, needs = recharge.split(">=")
                    dice = Dice(dice)
                    back = sum(self.roll(dice, "recharge")) + dice.extra >= int(needs)
                else:
                    back = False
                if back and c.uses[name] < most:
                    c.uses[name] += 1
                    if any(w.name == name for w in c.weapons) and name not in c.undrawn:
                        c.hand.add(name)
        for table in self.hazards:    # W-14
            first, last = table.get("first", 1), table.get("last", math.inf)
            if first <= self.round <= last and (self.round - first) % table.get("every", 1) == 0:
                low, high = table.get("stretch", (-math.inf, math.inf))
                power = Power(table, "enemy")
                for e in self.all:
                    if e.standing and low <= e.at <= high:
                        self.strike(None, power, [e], e.at, None)
        self.check_end()
        for goal in self.goals:
            if goal.get("round") == self.round:
                raise Over(goal["wins"])
        for c in self.all:
            for lasting in list(c.conditions):
                ongoing = lasting.kind.get("ongoing")
                if ongoing and c.standing and lasting in c.conditions:
                    dice = Dice(ongoing["damage"])
                    amount = sum(self.roll(dice, "ongoing")) + dice.extra
                    self.harm(lasting.source, c, amount, ongoing.get("damage_type"))

        for c in self.all:
            self.note_stun(c)

    def round_ends(self):
        for c in self.all:
            for lasting in list(c.conditions):
                if lasting.left is not None:
                    lasting.left -= 1
                    if lasting.left <= 0:
                        c.conditions.remove(lasting)
                        continue
                if lasting.kind.get("ends") == "check" and c.standing and self.check_passes(
                        c, lasting.kind["check"], lasting.kind["needs"]):
                    c.conditions.remove(lasting)

    def check_distance(self):
        """W-6: whether a chase ends at the distance between the nearest two enemies."""
        near = min((gap(a, b) for a in self.all if a.standing for b in self.enemies(a)), default=0)
        for _, sign, bound in self.ends_when:
            if {">=": near >= int(bound), ">": near > int(bound), "<=": near <= int(bound),
                    "<": near < int(bound)}[sign]:
                self.near = near
                raise Over("escaped" if ">" in sign else "caught")

    def attack_once(self, c, target, weapon, what, desperate=False, mastery=True):
        """TC-22: one attack roll, with the Counter that may follow (TC-18)."""
        c.count["attacks"] += 1
        if weapon.uses is not None:
            c.uses[weapon.name] -= 1
            if c.uses[weapon.name] == 0:
                c.hand.discard(weapon.name)
        faces = self.roll(weapon.dice, f"{c.name} {what}")
        total = sum(faces) + weapon.dice.extra + weapon.bonus + (weapon.mastery if mastery else 0) \
            + c.change("attack")
        hit = self.passes(total, target.evade_now)
        if desperate and min(faces, default=10) <= 5:  # TC-11
            hit = False
        self.say(c, what, f"with {weapon.name} on {target.name}: {faces} {total} "
                          f"{'hits' if hit else 'misses'}")
        if hit:
            c.count["hits"] += 1
            self.damage(c, target, weapon.damage, weapon.damage_type)
            if weapon.effects and target.standing:
                power = Power({"effects": weapon.effects}, "enemy")
                self.strike(c, power, [target], target.at, total)
        elif weapon.melee:
            self.counter(target, c)

    def counter(self, c, attacker):
        """TC-18."""
        if ("counter" not in c.abilities or c.counters >= self.counters_per_round
                or not c.standing or not attacker.standing or c.channel is not None or c.prone
                or c.stunned):
            return
        for weapon in self.melee_weapons(c):
            if gap(c, attacker) <= weapon.span:
                c.counters += 1
                c.touched = True
                self.attack_once(c, attacker, weapon, "counter")
                return

    def begin_attack(self, c, line, target, weapon):
        """TC-8 to TC-11: the attack action; its first attack comes at once."""
        desperate = line.verb == "desperate"
        if weapon.melee:
            single, mastery = c.into_melee, True
        else:
            mover = c.moved_since_shot
            single, mastery = desperate or c.did_other or mover, not (desperate or mover)
        offsets = [0] if single else weapon.offsets
        self.spend(c, FULL)
        c.attack_actions += 1
        self.not_free(c, shooting=not weapon.melee, melee=weapon.melee)
        if not weapon.melee:
            c.moved_since_shot = False
        if self.simple:  # TC-21: all at its own Mark, none forfeited
            volley = Volley(weapon, line, target, desperate, mastery, [])
            c.volleys.append(volley)
            for _ in offsets:
                if c.standing and volley in c.volleys:
                    self.next_attack(c, volley)
            c.volleys = []
        else:
            due = [self.mark - offset for offset in offsets]
            c.count["attacks_forfeited"] += sum(1 for mark in due if mark < 1)
            volley = Volley(weapon, line, target, desperate, mastery, [m for m in due if m >= 1])
            c.volleys.append(volley)
            self.next_attack(c, volley)

    def next_attack(self, c, volley):
        if volley.due:
            volley.due.pop(0)
        if not volley.due and not self.simple:
            c.volleys.remove(volley)
        if volley.weapon.uses is not None and c.uses[volley.weapon.name] == 0:
            return                    # a full set of attacks ends with the uses
        fits = lambda e: gap(c, e) <= volley.weapon.span
        target = self.keep_target(c, volley.line.target, volley.target, fits)
        if target is None:
            c.count["attacks_lost"] += 1
            self.say(c, "attack lost")
            return
        volley.target = target
        self.attack_once(c, target, volley.weapon, "attack", volley.desperate, volley.mastery)

    # ---- what actions have in common ---------------------------------------------------------

    def spend(self, c, cost):
        c.marks = max(0, c.marks - cost)
        if not self.simple:
            c.free_at = self.mark - cost  # TC-7

    def spend_or_owe(self, c, cost):
        """TC-5: an action that is begun with too few Marks and carries over."""
        begun = c.marks if self.simple else self.mark
        owes = cost > c.marks and self.carry_over != "casting"
        self.spend(c, cost)
        if owes:
            c.owed = cost - begun

    def not_free(self, c, shooting=False, melee=False):
        """An action that is not free: what it spoils."""
        c.did_action = c.acted = c.touched = True
        c.cast_set = False            # TC-14: only a Set just before the cast
        if shooting:
            c.shot_unset = False      # TC-10, TC-11: the last action was a ranged attack
        else:
            c.did_other = True
            if not melee or self.melee_unsets:
                c.shot_unset = True   # TC-10

    # ---- spells ------------------------------------------------------------------------------

    def begin_cast(self, c, line, target):
        """TC-12."""
        kind = c.spells[line.name]
        casting = Casting(kind, line, target, (self.round, self.mark))
        casting.may_move = c.combat_casting is not None and c.cast_set  # TC-14
        begun = c.marks if self.simple else self.mark
        length = max(FULL, kind.time)
        c.owed = max(0, length - begun)
        self.not_free(c)
        self.spend(c, length)
        c.count["spells_cast"] += 1
        self.say(c, "cast", kind.name)
        over = kind.time - begun      # Marks past the end of this Round
        if self.simple and over <= 0:  # TC-21
            c.spell = casting
            casting.due = (self.round, self.mark)
            self.spell_effect(c)
            return
        if over <= 0:
            casting.due = (self.round, self.mark - kind.time)
        else:
            rounds = (over - 1) // 30 + 1  # exactly Mark 0 is still that Round
            casting.due = (self.round + rounds, 30 - (over - 30 * (rounds - 1)))
        c.spell = casting
        if self.simple:
            c.free_at = -1

    def spell_effect(self, c):
        casting, c.spell = c.spell, None
        self.take_effect(c, casting)

    def take_effect(self, c, casting):
        kind = casting.kind
        target = self.keep_target(c, casting.line.target, casting.target,
                                  lambda e: gap(c, e) <= kind.range)
        if target is None:
            self.say(c, "spell wasted", kind.name)
            return
        self.say(c, "spell", f"{kind.name} on {target.name}")
        self.affect(c, kind.power, target)

    def combat_cast(self, c, line, target):
        """TC-14."""
        c.spell.used_move = True
        c.touched = True
        dice = Dice(c.combat_casting["check"])
        result = sum(self.roll(dice, f"{c.name} combat casting")) + dice.extra
        units = (result - c.combat_casting.get("target", 2)) // c.combat_casting.get("units_per", 3)
        self.say(c, "combat cast", f"{result}: {max(0, units)} Units")
        for _ in range(max(0, units)):
            if c.move_left > 0 and self.step_possible(c, line.way, None, target):
                self.move_unit(c, self.direction(c, line.way, target), "combat casting")

    def begin_channel(self, c, line, target):
        """TC-15."""
        self.not_free(c)
        c.channel = Casting(c.spells[line.name], line, target, (self.round, self.mark))
        c.channel.marks = c.marks
        c.marks, c.free_at = 0, -1
        c.count["spells_cast"] += 1
        c.asked_mark = self.mark      # its condition is asked from the next Mark on
        self.say(c, "channel", line.name)

    def break_channel(self, c):
        c.marks = max(0, min(c.channel.marks, self.mark))
        c.channel, c.broke_channel, c.free_at = None, True, self.mark
        self.say(c, "channel broken")

    # ---- deciding ----------------------------------------------------------------------------

    def holds(self, line, c, target):
        return line.condition is None or line.condition(View(self, c, target))

    def nearest(self, c):
        return self.choose_target(c, ("nearest",), lambda e: True)

    def consider(self, c, line):
        """W-3: (line, target, weapon) if the line may be taken now, else None."""
        found = self.legal(c, line)
        if found is None:
            return None
        target, weapon = found
        if not self.holds(line, c, target if target is not None else self.nearest(c)):
            return None
        return line, target, weapon

    def legal(self, c, line):
        """(target, weapon) if the action is legal and affordable, else None. Conditions apart."""
        verb = line.verb
        anyone = lambda e: True
        if c.prone and verb in ("attack", "desperate", "set", "advance", "retreat", "charge",
                                "car", "combat_cast"):
            return None
        if c.broke_channel and verb not in ("advance", "retreat", "car", "use", "wait", "pass"):
            return None               # TC-15: only movement and free actions
        if verb in ("attack", "desperate"):
            if self.attack_limit != "any" and c.attack_actions >= self.attack_limit:
                return None           # TC-8
            if not self.affordable(c, FULL):
                return None
            for weapon in c.weapons:
                if weapon.name not in c.hand or line.weapon not in (None, weapon.name):
                    continue
                if verb == "desperate":
                    if not self.needs_set_to_shoot(c, weapon):
                        continue      # TC-11
                elif weapon.melee and c.melee_unset:
                    continue          # TC-9
                elif not weapon.melee and self.needs_set_to_shoot(c, weapon):
                    continue          # TC-10
                target = self.choose_target(c, line.target, lambda e: gap(c, e) <= weapon.span)
                if target is not None:
                    return target, weapon
            return None
        if verb == "set":
            fine = self.affordable(c, QUARTER) and self.something_unset(c)
            return (None, None) if fine else None
        if verb in ("advance", "retreat"):
            if c.move_left < 1 or c.marks < 1:
                return None           # TC-6
            target = self.choose_target(c, line.target, anyone)
            if target is None or not self.step_possible(c, verb, line.to, target):
                return None
            return target, None
        if verb == "cast":
            kind = c.spells[line.name]
            if c.spell is not None or not self.affordable(c, FULL):
                return None           # TC-12: 15 Marks, whatever the casting time
            target = self.reachable(c, line, kind.power)
            return (target, None) if target is not None else None
        if verb == "channel":
            kind = c.spells[line.name]
            if c.touched:
                return None           # TC-15
            target = self.choose_target(c, line.target, lambda e: gap(c, e) <= kind.range)
            return (target, None) if target is not None else None
        if verb == "car":
            target = self.choose_target(c, line.target, lambda e: self.car_allowed(c, e))
            return (target, None) if target is not None else None
        if verb == "charge":
            if (not c.abilities & CHARGES or c.charges >= self.charges_per_round
                    or not self.affordable(c, QUARTER)):
                return None           # TC-17
            for weapon in self.melee_weapons(c):
                if line.weapon in (None, weapon.name):
                    target = self.choose_target(
                        c, line.target,
                        lambda e: weapon.span < gap(c, e) <= weapon.span + c.move_left)
                    if target is not None:
                        return target, weapon
            return None
        if verb == "use":
            cost = COSTS[c.items[line.name].get("cost", "half")]
            if c.broke_channel and cost != FREE:
                return None
            if c.uses[line.name] < 1 or not self.affordable_or_owed(c, cost):
                return None
            target = self.reachable(c, line, c.powers[line.name])
            return (target, None) if target is not None else None
        if verb == "flee":            # W-10
            if c.at in self.exits:
                return None, None
            target = self.nearest(c)
            if c.prone or c.move_left < 1 or c.marks < 1 or target is None:
                return None
            return (target, None) if self.step_possible(c, "retreat", None, target) else None
        if verb == "surrender":
            return None, None
        if verb == "draw":
            fine = line.name not in c.hand and self.affordable_or_owed(c, QUARTER)
            return (None, None) if fine else None
        if verb == "stand":
            return (None, None) if c.prone and self.affordable_or_owed(c, QUARTER) else None
        if verb == "wait":
            return (None, None) if self.may_wait and line.number <= c.marks else None
        if verb == "pass":
            return None, None
        if verb == "combat_cast":
            spell = c.spell
            if spell is None or not spell.may_move or spell.used_move or c.move_left < 1:
                return None           # TC-14
            target = self.choose_target(c, line.target, anyone)
            if target is None or not self.step_possible(c, line.way, None, target):
                return None
            return target, None
        return None                   # delay is asked at the roll

    def reachable(self, c, line, power):
        """The target of a thing, by what it may be used on (W-11)."""
        spec = line.target
        if power.target == "self":
            return c
        if spec == ("nearest",) and power.target == "ally":
            spec = ("ally",)
        return self.choose_target(c, spec, lambda e: gap(c, e) <= power.range)

    def decide(self, c, while_casting=False):
        """W-3: the first line that holds and is legal. None: it passes."""
        if c.stunned:
            return None
        for line in c.policy:
            if (line.verb == "combat_cast") != while_casting:
                continue
            choice = self.consider(c, line)
            if choice:
                return choice
        return None

    def perform(self, c, choice):
        """Carry out what was chosen, except steps."""
        line, target, weapon = choice
        verb = line.verb
        if verb in ("attack", "desperate"):
            self.begin_attack(c, line, target, weapon)
        elif verb == "set":
            self.spend(c, QUARTER)
            self.not_free(c)
            c.melee_unset = c.shot_unset = False
            c.cast_set = True
            self.say(c, "set")
        elif verb == "cast":
            self.begin_cast(c, line, target)
        elif verb == "channel":
            self.begin_channel(c, line, target)
        elif verb == "car":
            if target.standing and self.reaches(c, target):
                # W-5: a tied enemy came to meet it at this instant. The move is spent on the
                # spot, and both have moved into melee (as for steps, TC-9).
                if c.cars < self.car_per_round:
                    c.cars += 1
                    self.moves_into_melee(c)
                    c.melee_unset = False
            else:
                target = self.keep_target(c, line.target, target, lambda e: self.car_allowed(c, e))
                if target is not None:
                    self.make_car(c, target)
        elif verb == "charge":
            self.charge(c, line, target, weapon)
        elif verb == "use":
            item = c.items[line.name]
            cost = COSTS[item.get("cost", "half")]
            if cost:
                self.spend_or_owe(c, cost)
                self.not_free(c)
            c.touched = True
            c.uses[line.name] -= 1
            c.count["items_used"] += 1
            self.say(c, "use", line.name)
            power = c.powers[line.name]
            fits = lambda e: gap(c, e) <= power.range
            if target is not c and not (target.standing and fits(target)):
                target = self.reachable(c, line, power)
            if target is not None:
                self.affect(c, power, target)
        elif verb == "draw":
            self.spend_or_owe(c, QUARTER)
            self.not_free(c)
            c.hand.add(line.name)
            self.say(c, "draw", line.name)
        elif verb == "stand":
            self.spend_or_owe(c, QUARTER)
            self.not_free(c)
            c.prone = False
            self.say(c, "stand")
        elif verb == "wait":
            self.spend(c, line.number)  # TC-23
            self.say(c, "wait", str(line.number))
        elif verb == "combat_cast":
            self.combat_cast(c, line, target)
        elif verb in ("flee", "surrender"):
            self.leave(c, "fled" if verb == "flee" else "surrendered")
        elif verb == "pass":
            c.passed = True

    def charge(self, c, line, target, weapon):
        """TC-17: move, and one free attack without Set, all at one Mark."""
        c.charges += 1
        self.spend(c, QUARTER)
        self.not_free(c)
        self.say(c, "charge", f"at {target.name}")
        target = self.keep_target(
            c, line.target, target, lambda e: gap(c, e) <= weapon.span + c.move_left)
        while target is not None and gap(c, target) > weapon.span and c.move_left > 0:
            self.move_unit(c, self.direction(c, "advance", target), "charge")
        self.moves_into_melee(c)      # TC-17: also if the target closed the last Units
        if target is None or gap(c, target) > weapon.span:
            c.count["attacks_lost"] += 1
            self.say(c, "attack lost")
        else:
            self.attack_once(c, target, weapon, "charge attack")

    # ---- the Round ---------------------------------------------------------------------------

    def initiative(self, c):
        """TC-3, TC-12, TC-4: the Score, capped, less what is owed, then delayed."""
        c.begin_round()
        if c.owed >= 30:              # TC-12: a whole Round is skipped, without a roll
            c.owed -= 30
            return
        if self.fixed:
            score = (c.agility + c.intellect + 1) // 2
        else:
            face = self.chance.die(10, f"{c.name} initiative")
            score = c.characteristic + face
            while face == 10 and self.explode != "none":
                face = self.chance.die(10, f"{c.name} initiative")
                score += face
                if self.explode == "once":
                    break
        roll, owed = score - c.penalty + c.change("initiative"), c.owed
        score = min(30, roll) - owed
        c.owed = 0
        c.score = c.marks = score
        if score >= 1:
            for line in c.policy:     # TC-4
                if line.verb == "delay" and not c.stunned and self.holds(line, c, self.nearest(c)):
                    whole = roll if self.halve_roll else score
                    half = (whole + 1) // 2 if line.way == "up" else whole // 2
                    score = min(30, half) - owed if self.halve_roll else half
                    c.score = score
                    if self.halve_marks:
                        c.marks = score
                    break
        if score >= 1:
            c.free_at = score
        else:
            c.score, c.marks = max(0, score), 0
        self.say(c, f"score {score}")

    def has_due(self, c):
        """What comes at this Mark of itself, steps apart."""
        return (any(self.mark in v.due for v in c.volleys)
                or (c.spell is not None and c.spell.due == (self.round, self.mark))
                or (c.channel is not None and self.mark == 0))

    def step_due(self, c):
        return c.walk is not None and c.walk.due == self.mark

    def is_free(self, c):
        return (self.mark >= 1 and not c.passed and c.walk is None and c.spell is None
                and c.channel is None and c.free_at >= self.mark)  # TC-1

    def may_stir(self, c):
        """Spares the beats in which nothing can happen."""
        return c.standing and (c.volleys or c.walk is not None or c.spell is not None
                             or c.channel is not None
                             or (not c.passed and c.free_at >= self.mark >= 1))

    def perform_due(self, c):
        if c.channel is not None and self.mark == 0:
            channel, c.channel = c.channel, None
            self.take_effect(c, channel)
        if c.spell is not None and c.spell.due == (self.round, self.mark):
            self.spell_effect(c)
        for volley in [v for v in c.volleys if self.mark in v.due]:
            if c.standing and volley in c.volleys:
                self.next_attack(c, volley)

    def instant(self, group):
        """W-5: one Mark of combatants whom no tie-break separates, in beats."""
        if not any(self.may_stir(c) for c in group):
            return
        self.deferred = []
        self.acting = {c for c in group
                       if c.standing and (self.has_due(c) or self.step_due(c) or self.is_free(c))}
        while self.beat(group):
            pass
        for source, target, amount in self.deferred:
            self.suffer(source, target, amount)
        changes, self.put_off = self.put_off, []
        for c, e, effect in changes:
            if e.standing:
                self.change(c, e, effect)
        self.deferred = []
        self.acting = set()
        self.check_end()
        self.check_distance()

    def beat(self, group):
        """Everybody chooses on the state at its beginning; then actions, then steps."""
        acts, steps = [], []
        for c in group:
            if not c.standing:
                continue
            due, step = self.has_due(c), self.step_due(c)
            if due:
                acts.append((c, None))
            if step:
                steps.append(c)
            if due or step:
                continue
            if self.is_free(c):
                choice = self.decide(c)
                if choice is None:
                    c.passed = True
                elif choice[0].verb in ("advance", "retreat", "flee") and choice[1] is not None:
                    self.begin_walk(c, choice[0], choice[1])
                    if self.simple:
                        steps.append(c)
                    else:
                        acts.append((c, "begun"))
                else:
                    acts.append((c, choice))
            elif self.mark >= 1 and c.asked_mark != self.mark:
                if c.spell is not None and c.combat_casting is not None:
                    c.asked_mark = self.mark
                    choice = self.decide(c, while_casting=True)
                    if choice:
                        self.acting.add(c)
                        acts.append((c, choice))
                elif c.channel is not None and c.channel.line.until is not None:
                    c.asked_mark = self.mark
                    channel = c.channel
                    foe = self.keep_target(c, channel.line.target, channel.target,
                                           lambda e: True) or self.nearest(c)
                    if channel.line.until(View(self, c, foe)):
                        self.acting.add(c)
                        self.break_channel(c)
                        acts.append((c, "begun"))
        if not acts and not steps:
            return False
        # Moves by CAR and charges come after the attacks and spells of the beat (W-5).
        acts.sort(key=lambda act: isinstance(act[1], tuple)
                  and act[1][0].verb in ("car", "charge"))
        for c, what in acts:
            if not c.standing:
                continue
            if what is None:
                self.perform_due(c)
            elif what != "begun":
                self.perform(c, what)
        before = {(a.index, b.index): gap(a, b) for a in steps for b in steps}
        cars = {c.index: c.cars for c in steps}
        self.made = []  # the Units of this beat: whose, from, to
        stepped = [c for c in steps if c.standing and c.walk is not None and self.make_step(c)]
        # TC-9: tied combatants whose steps at one instant bring them together have both moved
        # into melee, and neither is exempt; not where a CAR move did (TC-16).
        stepped = [c for c in stepped if c.cars == cars[c.index]]
        for a in stepped:
            for b in stepped:
                reach = self.reach(b)
                if (a.side != b.side and reach is not None
                        and before[a.index, b.index] > reach >= gap(a, b)):
                    self.moves_into_melee(b)
        return True

    def play(self, chance):
        """One encounter; the winner's side, "mutual" or "timeout"."""
        self.chance = chance
        self.round, self.mark = 0, 30
        self.deferred, self.put_off, self.acting = [], [], set()
        for c in self.all:
            c.begin_encounter()
        try:
            while self.round < self.max_rounds:
                self.round += 1
                self.mark = 30
                self.round_begins()
                for c in self.all:
                    if c.standing:
                        self.initiative(c)
                for self.mark in range(30, -1, -1):  # TC-1
                    self.come_at_mark()
                    for group in self.groups:
                        self.instant(group)
                self.round_ends()
        except Over as over:
            if over.args:
                return over.args[0]
            left = {c.side for c in self.all if c.standing}
            return left.pop() if left else "mutual"
        return "timeout"


# ---------------------------------------------------------------------------------------------
# Variants
# ---------------------------------------------------------------------------------------------

def override(scenario, path, value):
    keys = [part.strip('"') for part in re.findall(r'"[^"]*"|[^.]+', path)]
    place = scenario
    for key in keys[:-1]:
        if isinstance(place, list):
            place = next(c for c in place if c["name"] == key)
        else:
            place = place.setdefault(key, {})
    place[keys[-1]] = value


def variants_of(path):
    """(name, scenario) of the base and every variant."""
    text = Path(path).read_text(encoding="utf-8")
    scenarios = [("base", tomllib.loads(text))]
    for variant in scenarios[0][1].get("variants", []):
        scenario = tomllib.loads(text)
        for key, value in variant["set"].items():
            override(scenario, key, value)
        scenarios.append((variant["name"], scenario))
    return scenarios


# ---------------------------------------------------------------------------------------------
# Means
# ---------------------------------------------------------------------------------------------

class Mean:
    def __init__(self):
        self.n = self.total = self.squares = 0

    def add(self, x):
        self.n += 1
        self.total += x
        self.squares += x * x

    def table(self):
        mean = self.total / self.n
        spread = max(0.0, self.squares / self.n - mean * mean) * self.n / max(1, self.n - 1)
        return {"mean": mean, "se": math.sqrt(spread / self.n)}


def measure(scenario, n, seed):
    fight = Fight(scenario)
    chance = RandomChance(seed)
    means = {}
    note = lambda metric, subject, x: means.setdefault((metric, subject), Mean()).add(x)
    for _ in range(n):
        ending = fight.play(chance)
        for side in fight.sides:
            note("win_rate", side, int(ending == side))
        note("mutual", "encounter", int(ending == "mutual"))
        note("timeout", "encounter", int(ending == "timeout"))
        if fight.ends_when:
            note("escaped", "encounter", int(ending == "escaped"))
            note("caught", "encounter", int(ending == "caught"))
        note("rounds", "encounter", fight.round)
        for c in fight.all:
            c.count["health"] = c.hp
            for metric in COUNTS + OPTIONAL:
                note(metric, c.name, c.count[metric])
    result = {}
    for (metric, subject), mean in means.items():
        if metric in OPTIONAL and not any(means[metric, c.name].total for c in fight.all):
            continue                  # the engine leaves out what cannot be
        result.setdefault(metric, {})[subject] = mean.table()
    return result


# ---------------------------------------------------------------------------------------------
# Self-test: the worked examples
# ---------------------------------------------------------------------------------------------

def example(combatants, faces, rounds, rules=None, **tables):
    """Play on scripted dice; the events."""
    scenario = {"rules": rules or {}, "encounter": {"max_rounds": rounds},
                "combatants": combatants, **tables}
    fight = Fight(scenario)
    fight.events = []
    chance = ScriptedChance(faces)
    fight.play(chance)
    assert not chance.faces, f"dice left over: {chance.faces}"
    return fight


def person(name, side, at, char, policy, **more):
    table = {"name": name, "side": side, "position": at, "move": 10, "evade": 100, "health": 1000,
             "attributes": {"agility": char, "intellect": char}, "policy": policy}
    table.update(more)
    return table


def dummy(at, **more):
    return person("dummy", "them", at, more.pop("char", 0), ["pass"], **more)


def marks_of(fight, name, what):
    return [(r, m) for r, m, who, did in fight.events if who == name and did == what]


BOW = {"kind": "ranged", "range": 500, "attacks": 3, "check": {"dice": "2d10"}, "damage": 1}
SWORD = {"kind": "melee", "attacks": 3, "check": {"dice": "2d10"}, "damage": 1}
MISS = [1, 1]


def self_test():
    D = 1  # the dummy's initiative

    # TC-E1: kiting, mixed.
    fight = example(
        [person("rogue", "us", 0, 15,
                ["retreat 4 if round = 1 and not moved", "retreat 1 if round = 4 and not moved",
                 "set if not ready", "attack", "retreat 30"], weapons=["bow"], move=15),
         dummy(100)],
        [9, D] + MISS + [7, D] + MISS * 3 + [8, D] + MISS + [6, D] + MISS, 4, weapons={"bow": BOW})
    assert marks_of(fight, "rogue", "attack") == [
        (1, 15), (2, 22), (2, 17), (2, 12), (3, 18), (4, 15)], fight.events
    assert marks_of(fight, "rogue", "set") == [(1, 20), (3, 23), (4, 20)]
    assert len(marks_of(fight, "rogue", "step")) == 15
    assert marks_of(fight, "rogue", "step")[4:11] == [(2, m) for m in range(6, -1, -1)]
    assert marks_of(fight, "rogue", "step")[11:14] == [(3, 2), (3, 1), (3, 0)]

    # TC-E2: kiting with full volleys.
    fight = example(
        [person("rogue", "us", 0, 15,
                ["attack if round != 3", "pass if round = 1", "retreat 12 if round = 3 and not moved",
                 "set if not ready and round = 3", "retreat 30 if round != 3"],
                weapons=["bow"], move=15),
         dummy(100)],
        [9, D] + MISS * 3 + [8, D] + MISS * 3 + [2, D] + [7, D] + MISS * 3, 4, weapons={"bow": BOW})
    assert marks_of(fight, "rogue", "attack") == [
        (1, 24), (1, 19), (1, 14), (2, 23), (2, 18), (2, 13), (4, 22), (4, 17), (4, 12)]
    assert marks_of(fight, "rogue", "set") == [(3, 5)]
    assert len(marks_of(fight, "rogue", "step")) == 8 + 12 + 7

    # TC-E3: casting, carry-over, Combat Casting.
    fight = example(
        [person("mage", "us", 100, 14,
                ["retreat 6 if round = 1 and not moved", "cast long if round = 1",
                 "attack if round = 2", "set if round = 3 and not ready",
                 "cast short if round = 3", "combat_cast retreat if round = 3 and mark = 12",
                 "retreat 30 if round = 3"],
                weapons=["sword"], spells=["long", "short"],
                combat_casting={"check": "1d10+5", "target": 2, "units_per": 3}),
         person("foe", "them", 90, 14, ["advance 16 if round <= 2"], move=10)],
        [7, 6] + [6, 10, 8] + MISS * 3 + [9, 1] + [6], 3,
        weapons={"sword": SWORD},
        spells={"long": {"casting_time": 20, "range": 50, "damage": 1},
                "short": {"casting_time": 10, "range": 50, "damage": 1}})
    assert marks_of(fight, "mage", "cast") == [(1, 15), (3, 18)], fight.events
    assert marks_of(fight, "mage", "spell") == [(2, 25), (3, 8)]
    assert marks_of(fight, "mage", "attack") == [(2, 15), (2, 10), (2, 5)]
    assert marks_of(fight, "mage", "set") == [(3, 23)]
    assert marks_of(fight, "mage", "combat casting") == [(3, 12)] * 3
    assert marks_of(fight, "mage", "step")[-3:] == [(3, 2), (3, 1), (3, 0)]
    assert marks_of(fight, "mage", "score 15") == [(2, 30)]

    # TC-E4: the Warrior, Round by Round.
    warrior = dict(weapons=["sword"], items=["potion"], car=10, move=8, evade=30,
                   abilities=["counter", "frenzied_charge"])
    gear = dict(weapons={"sword": SWORD, "claw": dict(SWORD, attacks=1)},
                items={"potion": {"cost": "half"}})
    fight = example(  # 1: CAR, then a single attack
        [person("warrior", "us", 0, 9, ["car", "attack"], **warrior), dummy(10)],
        [4, D] + MISS, 1, **gear)
    assert marks_of(fight, "warrior", "car") == [(1, 13)] * 10, fight.events
    assert marks_of(fight, "warrior", "attack") == [(1, 13)]
    fight = example(  # ... also as a reaction, before its Score
        [person("warrior", "us", 0, 9, ["car", "attack"], **warrior),
         person("foe", "them", 12, 15, ["advance 2"])],
        [4, 5] + MISS, 1, **gear)
    assert marks_of(fight, "warrior", "car") == [(1, 18)] * 10, fight.events
    assert marks_of(fight, "warrior", "attack") == [(1, 13)]
    fight = example(  # 2: the target falls, CAR, no Marks for an attack: the potion
        [person("warrior", "us", 0, 9, ["attack", "car", "use potion"], **warrior),
         person("one", "them", 0, 0, ["pass"], evade=2, health=1),
         person("two", "them", 10, 0, ["pass"])],
        [10, 6, D, D] + MISS, 1, **gear)
    assert marks_of(fight, "warrior", "attack") == [(1, 25)]
    assert marks_of(fight, "warrior", "attack lost") == [(1, 20), (1, 15)]
    assert marks_of(fight, "warrior", "car") == [(1, 10)] * 10
    assert marks_of(fight, "warrior", "use") == [(1, 10)]
    fight = example(  # 3: Counter, all attacks, 2 Units
        [person("warrior", "us", 0, 9, ["attack", "advance 2"], **warrior),
         person("one", "them", 0, 9, ["attack"], evade=2, health=3, weapons=["claw"]),
         person("two", "them", 30, 0, ["pass"])],
        [8, 9, D] + MISS + MISS + MISS + MISS, 1, **gear)
    assert marks_of(fight, "warrior", "counter") == [(1, 18)], fight.events
    assert marks_of(fight, "warrior", "attack") == [(1, 17), (1, 12)]
    assert marks_of(fight, "warrior", "attack lost") == [(1, 7)]
    assert marks_of(fight, "warrior", "step") == [(1, 1), (1, 0)]
    fight = example(  # 4: charge, Set, 6 Marks forfeited
        [person("warrior", "us", 0, 9, ["charge", "attack", "set if not ready"], **warrior),
         dummy(8)],
        [7, D] + MISS, 1, **gear)
    assert marks_of(fight, "warrior", "charge attack") == [(1, 16)]
    assert marks_of(fight, "warrior", "set") == [(1, 11)]
    assert not marks_of(fight, "warrior", "attack") and fight.all[0].marks == 6

    # TC-E5: the Rogue moves into combat.
    fight = example(
        [person("rogue", "us", 0, 12,
                ["attack", "set if in_melee and not ready", "advance 8 if round = 1 and not moved",
                 "advance 2 if round = 2", "advance 5 if round = 3 and not moved",
                 "retreat 3 if round = 4"],
                weapons=["sword"], move=13),
         person("one", "them", 8, 0, ["pass"], evade=2, health=3),
         person("two", "them", 15, 0, ["pass"])],
        [9, 1, 1] + [5, 1, 1] + MISS * 3 + [10, 4, 1] + MISS + [6, 1] + MISS * 3, 4,
        weapons={"sword": SWORD})
    assert marks_of(fight, "rogue", "set") == [(1, 13), (3, 21)], fight.events
    assert marks_of(fight, "rogue", "attack") == [
        (2, 17), (2, 12), (2, 7), (3, 16), (4, 18), (4, 13), (4, 8)]
    assert len(marks_of(fight, "rogue", "step")) == 8 + 2 + 5 + 3

    # TC-E6: Combatant with CAR against Wizard.
    for kind in ("full", "simple"):
        fight = example(
            [person("combatant", "us", 0, 15, ["car", "attack", "advance 5"], weapons=["sword"],
                    car=10),
             person("wizard", "them", 15, 15, ["cast bolt"], spells=["bolt"], evade=2)],
            [5, 9] + MISS, 1, rules={"round": kind}, weapons={"sword": SWORD},
            spells={"bolt": {"casting_time": 10, "range": 50, "damage": 1}})
        if kind == "full":
            assert marks_of(fight, "combatant", "attack") == [(1, 15)], fight.events
            assert marks_of(fight, "wizard", "fizzle") == [(1, 15)]
            assert not marks_of(fight, "wizard", "spell")
        else:
            assert marks_of(fight, "wizard", "spell") == [(1, 24)], fight.events
            assert marks_of(fight, "combatant", "attack") == [(1, 20)]

    # TC-E7: three attacks against one big attack.
    for kind, expected in (("full", [(1, 20), (1, 15), (1, 10)]), ("simple", [(1, 20)] * 3)):
        fight = example(
            [person("combatant", "us", 0, 15, ["attack"], weapons=["sword"]),
             person("monster", "them", 0, 10, ["attack"], weapons=["claw"])],
            [5, 2] + MISS * 4, 1, rules={"round": kind},
            weapons={"sword": SWORD, "claw": dict(SWORD, attacks=1)})
        assert marks_of(fight, "combatant", "attack") == expected
        assert marks_of(fight, "monster", "attack") == [(1, 12)]

    # TC-E8: the offsets.
    chart = {1: [20], 2: [20, 13], 3: [20, 15, 10], 4: [20, 16, 12, 8], 5: [20, 17, 14, 11, 8]}
    for n, expected in chart.items():
        fight = example(
            [person("combatant", "us", 0, 15, ["attack"], weapons=["sword"]), dummy(0)],
            [5, D] + MISS * n, 1, weapons={"sword": dict(SWORD, attacks=n)})
        assert [m for _, m in marks_of(fight, "combatant", "attack")] == expected

    # TC-8: the Dwarf's score of 12 with three attacks 7 apart forfeits the third.
    fight = example(
        [person("dwarf", "us", 0, 10, ["attack"], weapons=["axe"]), dummy(0)],
        [2, D] + MISS * 2, 1, rules={"attack_offsets": {"3": [0, 7, 14]}},
        weapons={"axe": SWORD})
    assert marks_of(fight, "dwarf", "attack") == [(1, 12), (1, 5)]
    assert fight.all[0].count["attacks_forfeited"] == 1
    print("self-test: TC-E1 to TC-E8 as the text tells them")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenario", nargs="?")
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", action="append")
    parser.add_argument("--trace", type=int, metavar="K", help="tell encounter K Mark by Mark")
    parser.add_argument("--dice", help="scripted dice for one encounter: faces with commas")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return
    if not options.scenario:
        parser.error("a scenario is needed")
    results = {}
    for name, scenario in variants_of(options.scenario):
        if options.variant and name not in options.variant:
            continue
        if options.dice is not None or options.trace is not None:
            fight = Fight(scenario)
            if options.dice is not None:
                chance = ScriptedChance(int(f) for f in options.dice.split(","))
            else:
                chance = RandomChance(options.seed)
                for _ in range(options.trace):
                    fight.play(chance)
            print(f"--- {name}")
            fight.tell = print
            print("ends:", fight.play(chance))
            continue
        results[name] = measure(scenario, options.n, options.seed)
    if results:
        json.dump({"n": options.n, "seed": options.seed, "variants": results}, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # `| head` is no error
        sys.stderr.close()
