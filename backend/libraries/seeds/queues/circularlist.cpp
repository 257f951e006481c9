// SPDX-License-Identifier: GPL-3.0-or-later
// RPOPLPUSH list list: workers take turns, or visit the members repeatedly. The next member is at
// the right end. The content does not distinguish it from other lists; only its name or a
// declaration does.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/families/lists/listactions.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/names/keyname.h"
#include "backend/core/names/namewords.h"

namespace lk {

namespace {

bool isRotationName(const QByteArray& name)
{
    if (hasWord(name, wordsIn<"rotated-otherwise">()))
        return false; // other data that is rotated
    return hasWord(name, words<"rotation", "rotations", "rotating", "roundrobin", "circular",
                               "carousel", "rota">) ||
           (hasWord(name, words<"round">) && hasWord(name, words<"robin">));
}

class CircularList final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("circular-list"); }
    QString title() const override { return LayoutText::tr("Circular list"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override { return type == KeyType::List; }
    QByteArray mainRole() const override { return QByteArrayLiteral("list"); }
    KeyType mainType() const override { return KeyType::List; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        // A rotation has no end. A list that expires is a cache.
        if (probe.type != KeyType::List || probe.ttlMs || !isRotationName(probe.name))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.7};
    }

    ActionList actions() const override { return {&actions::rotateList()}; }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        return listReads(primitive.key("list"), ListEnd::Right, context);
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        ListRead list = listRead(replies, ListEnd::Right, context);
        const Ttl ttl = list.ttl;
        reading.wantsLarge = list.wantsLarge;
        reading.state.payloads = list.payloads;
        if (!list.rows.empty())
            reading.state.facts.push_back({LayoutText::tr("Due"),
                                           displayPreview(list.rows.front().label, 60),
                                           Source::Stored});
        finalizePattern(reading.state, listPattern(std::move(list), PatternState::Rows::Rotation),
                        ttl, context.nowMs);
        return reading;
    }
};

} // namespace

LK_LAYOUT(circularList, CircularList)

} // namespace lk
