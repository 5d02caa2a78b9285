"""Effects, flight and morale (W-10, W-11, W-13, W-16), for the references of turns.

A plain reading of docs/FORMAT.md and of the rules of the same ids in docs/rules/tara-corax.md, written as the texts say
it. The systems add what only they know: how a check is made, how damage is taken, and when turns begin and end.
"""

from reference import Dice, gap

FRIENDLY = ("self", "ally", "weakest_ally")
SHARES = {"half": lambda x: x // 2, "none": lambda x: 0, "all": lambda x: x}


class Power:
    """What a spell, an item or a hit of a weapon does to those whom it reaches."""

    def __init__(self, table, own_target):
        self.target = table.get("target", own_target)
        self.range, self.area = table.get("range", 0), table.get("area")
        self.spares = table.get("spares") == "allies"
        self.check, self.needs = table.get("check"), table.get("needs")
        self.resist = table.get("resist")
        # The short forms come first.
        self.effects = [{short: table[short], "damage_type": table.get("damage_type")}
                        for short in ("heal", "damage") if short in table]
        self.effects += table.get("effects", [])

    def reaches(self, c, e):
        return self.target == "self" or gap(c, e) <= self.range


class Lasting:
    def __init__(self, name, kind, left, by):
        self.name, self.kind, self.left, self.by = name, kind, left, by
        self.ends = kind.get("ends", "own_turn")


class Bearer:
    """A combatant with conditions."""

    def read_effects(self, table, items):
        self.resists, self.morale = table.get("resists", {}), table.get("morale")
        self.powers = {i: Power(items[i], "self") for i in self.items}

    def begin_effects(self):
        self.conditions, self.gone, self.leaving, self.held_up = [], False, None, False

    def change(self, number):
        return sum(one.kind.get("modifies", {}).get(number, 0) for one in self.conditions)

    standing = property(lambda c: c.hp > 0 and not c.gone)
    stunned = property(lambda c: any(
        one.kind.get("modifies", {}).get("actions") == 0 for one in c.conditions))
    evade_now = property(lambda c: (c.evade or 0) + c.change("evade"))
    armor_now = property(lambda c: max(0, c.armor + c.change("armor")))
    most_hp = property(lambda c: max(1, c.max_hp + c.change("health")))


class Effects:
    """The part of a fight that is about them."""

    def read_effects(self, scenario):
        encounter = scenario.get("encounter", {})
        self.kinds = scenario.get("conditions", {})
        self.exits = {*encounter.get("exits", []), *encounter.get("arena", [])}

    def optional_counts(self):
        """The metrics for which the fight gives occasion."""
        lines = [line.text.split()[0] for c in self.all for line in c.policy]
        items = [self.scenario["items"][i] for c in self.all for i in c.items]
        things = items + [self.scenario["weapons"][w.name] for c in self.all for w in c.weapons]
        spells = [self.scenario["spells"][s] for s in self.scenario.get("spells", {})]
        stuns = any(kind.get("modifies", {}).get("actions") == 0 for kind in self.kinds.values())
        heals = any("heal" in effect for thing in things + spells
                    for effect in [thing, *thing.get("effects", [])])
        several = any(i.get("uses", 1) > 1 for i in items) or any(
            "uses" in thing for thing in things if "kind" in thing)
        occasions = {"healed": heals, "items_used": bool(items), "stunned": stuns,
                     "fled": "flee" in lines, "surrendered": "surrender" in lines,
                     "uses_left": several}
        return [metric for metric, has in occasions.items() if has]

    # --- questions ----------------------------------------------------------------------------

    def friends(self, c):
        return [a for a in self.all if a.side == c.side and a is not c and a.standing]

    def bears(self, c, name):
        return c is not None and any(one.name == name for one in c.conditions)

    def span_of(self, c, weapon):
        """W-2, with what conditions add to melee weapons."""
        return max(0, weapon.span + c.change("reach")) if weapon.melee else weapon.span

    def target_of(self, c, spec, power):
        """Whom a thing is used on: what it may be used on decides, then the line."""
        if power.target == "self":
            return c
        if power.target == "ally" and spec == "nearest":
            spec = "ally"
        return self.choose_target(c, spec, lambda e: power.reaches(c, e))

    # --- leaving (W-10), morale (W-13) --------------------------------------------------------

    def leave(self, c, how, together=()):
        """Out of the fight, when all have acted who act at this instant."""
        c.leaving = how
        if c not in together:
            self.let_go([c])

    def let_go(self, some):
        for c in some:
            if c.leaving and c.standing:
                c.gone = True
                c.count["fled" if c.leaving == "flee" else "surrendered"] += 1
                self.tell(f"  {c.name} leaves: {c.leaving}")
                self.is_down(c)
            c.leaving = None

    def is_down(self, c):
        """Who has fallen or left may shake its side. Nobody is shaken when all is decided."""
        if len({e.side for e in self.all if e.standing}) < 2:
            return
        mates = [a for a in self.all if a.side == c.side]
        down = sum(not a.standing for a in mates)
        for a in mates:
            if not a.standing or not a.morale:
                continue
            if a.morale["when"] == "half_side_down" \
                    and not 2 * down >= len(mates) > 2 * (down - 1):
                continue
            if not self.plain_check(a, a.morale["check"], a.morale.get("needs")):
                self.give(a, a.morale["condition"], a.morale.get("lasts"), a)

    # --- conditions (W-11) --------------------------------------------------------------------

    def give(self, e, name, lasts, by):
        kind = self.kinds[name]
        left = None if lasts is None else int(str(lasts).split()[0])
        new, most = Lasting(name, kind, left, by), e.most_hp
        same = [one for one in e.conditions if one.name == name]
        stacks = kind.get("stacks", "no")
        if same and stacks == "refresh":
            e.conditions[e.conditions.index(same[0])] = new
        elif same and stacks == "highest":
            if same[0].left is not None and (left is None or left > same[0].left):
                e.conditions[e.conditions.index(same[0])] = new
        elif (not same or stacks == "add") and len(e.conditions) < 8:
            e.conditions.append(new)
            e.hp += max(0, e.most_hp - most)  # a limit that rises as it begins
        e.hp = min(e.hp, e.most_hp)
        self.tell(f"   {e.name} is {name} for {left}")
        self.has_changed(e)

    def end(self, e, which):
        e.conditions = [one for one in e.conditions if not which(one)]
        e.hp = min(e.hp, e.most_hp)
        self.has_changed(e)

    def has_changed(self, e):
        """What a clock does about changed numbers."""

    def note_stun(self, c):
        """Rounds in which it is stunned are counted: where turns are, those that begin so."""
        if c.stunned and c.standing and not c.held_up:
            c.held_up = True
            c.count["stunned"] += 1

    def turn_ends(self, c):
        """What is counted at the end of a turn: c's conditions, and those that it has brought about."""
        if not c.standing:
            return
        checked = [one for one in c.conditions if one.ends == "check"]
        passed = [one for one in checked
                  if self.plain_check(c, one.kind["check"], one.kind.get("needs"))]
        for one in c.conditions:
            if one.left is not None and one.ends not in ("source_turn", "round_end"):
                one.left -= 1
        self.end(c, lambda one: one.left == 0 or one in passed)
        for e in self.all:
            for one in e.conditions:
                if one.ends == "source_turn" and one.by is c:
                    one.left -= 1
            self.end(e, lambda one: one.left == 0)

    def round_ends(self):
        for e in self.all:
            for one in e.conditions:
                if one.ends == "round_end" or (one.ends == "source_turn" and not one.by.standing):
                    one.left -= 1
            self.end(e, lambda one: one.left == 0)
            e.held_up = False

    def suffer_conditions(self, c):
        """What goes on hurting, as a turn begins: whatever the armour."""
        self.note_stun(c)
        for one in list(c.conditions):
            if "ongoing" in one.kind and one in c.conditions and c.standing:
                ongoing = one.kind["ongoing"]
                amount = self.amount(ongoing["damage"]).roll(0, self.chance)
                self.take(one.by, c, self.by_kind(c, ongoing.get("damage_type"), amount), ())

    # --- what an action does ------------------------------------------------------------------

    def by_kind(self, e, kind, amount):
        """W-16."""
        resists = e.resists.get(kind) if kind else None
        amount = max(0, amount)
        return {None: amount, "half": amount // 2, "none": 0, "double": 2 * amount}.get(
            resists, max(0, amount - resists) if isinstance(resists, int) else amount)

    def affect(self, c, power, target, hit=None, together=()):
        """`hit` is what the check of the action has come to: extra damage, whether damage and healing are halved,
        whether armour is ignored, and the total of a roll that adds."""
        hit = hit or {}
        centre, reached = target.at, [target]
        if power.area is not None:
            reached = [e for e in self.all if e.standing and abs(e.at - centre) <= power.area
                       and not (power.spares and e.side == c.side)]
        resisting = set()
        if power.resist:
            for e in reached:
                if power.resist["check"] == "evade":
                    resists = self.dodges(e, hit.get("total"))
                else:
                    resists = self.plain_check(e, power.resist["check"], power.resist.get("needs"))
                if resists:
                    resisting.add(e)
        share = SHARES[power.resist.get("success", "none")] if power.resist else None
        for effect in power.effects:
            rolled = None
            if "damage" in effect:
                rolled = self.amount(effect["damage"]).roll(hit.get("extra", 0), self.chance)
            elif "heal" in effect:
                rolled = self.amount(effect["heal"]).roll(0, self.chance)
            if rolled is not None and hit.get("half"):
                rolled = max(0, rolled) // 2
            for e in reached:
                if not e.standing:
                    continue
                part = share if e in resisting else lambda x: x
                if "damage" in effect:
                    points = max(0, rolled - effect.get("falloff", 0) * abs(e.at - centre))
                    armor = max(0, e.armor_now - effect.get("pierces", 0))
                    if hit.get("bare"):
                        armor = 0
                    points = part(points) - armor - self.soaked(e)
                    self.take(c, e, self.by_kind(e, effect.get("damage_type"), points), together)
                elif "heal" in effect:
                    healed = min(max(0, part(rolled)), e.most_hp - e.hp)
                    e.hp += healed
                    c.count["healed"] += healed
                    self.tell(f"   {e.name} is healed by {healed}")
                elif e in resisting:
                    continue
                elif c is not e and c in together and e in together:
                    self.put_off = [*self.put_off, (c, e, effect)]  # W-5
                else:
                    self.change(c, e, effect)

    put_off = ()  # effects of those who act at one instant on one another

    def changes_count(self, together):
        """What they have put off counts now, after their damage."""
        mine = [one for one in self.put_off if one[0] in together]
        self.put_off = [one for one in self.put_off if one[0] not in together]
        for c, e, effect in mine:
            if e.standing:
                self.change(c, e, effect)

    def change(self, c, e, effect):
        if "condition" in effect:
            self.give(e, effect["condition"], effect.get("lasts"), c)
        elif "removes" in effect:
            self.end(e, lambda one: one.name == effect["removes"])
        elif "push" in effect or "pull" in effect:
            away = self.away(e, c)
            if "push" in effect:
                e.at = max(self.low, min(self.high, e.at + away * effect["push"]))
            else:
                e.at -= away * min(effect["pull"], gap(c, e))
        elif effect.get("prone"):
            e.prone = True

    def use_item(self, c, name, target, together=()):
        c.uses[name] -= 1
        if "items_used" in c.count:
            c.count["items_used"] += 1
        power = c.powers[name]
        hit = {}
        if power.check:
            hit = self.power_check(c, power, target)
            if hit is None:
                return
        self.affect(c, power, target, hit, together)

    def soaked(self, e):
        return 0
