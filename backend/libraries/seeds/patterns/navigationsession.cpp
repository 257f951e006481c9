// SPDX-License-Identifier: GPL-3.0-or-later
// MULTI, RPUSH pagewviews.user:17 page, EXPIRE 60: the pages that a user visits. The list expires
// when no further page follows for a while. The newest page is at the right end.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/wordlists.h"
#include "backend/libraries/seeds/patterns/patternreading.h"

#include "backend/core/names/namewords.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 longestSessionMs = 24LL * 3600 * 1000;

// "pagewviews" is the document's spelling, which has been copied since.
bool isTrailName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"page-trails">()) ||
           (hasWord(name, words<"page", "pages">) &&
            hasWord(name, words<"view", "views", "visits">));
}

class NavigationSession final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("navigation-session"); }
    QString title() const override { return LayoutText::tr("Navigation session"); }
    Kind kind() const override { return Kind::Pattern; }
    bool wants(KeyType type) const override { return type == KeyType::List; }
    QByteArray mainRole() const override { return QByteArrayLiteral("session"); }
    KeyType mainType() const override { return KeyType::List; }
    std::vector<ConfigField> configFields() const override
    {
        return {{"ttl", FieldShape::Duration, &Declaration::ttlMs}};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        // Without a TTL it is a log of views, not a session.
        if (probe.type != KeyType::List || !probe.ttlMs || *probe.ttlMs > longestSessionMs ||
            !isTrailName(probe.name) || decimalNumber(probe.first))
            return std::nullopt; // numbers are counts of views
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.7};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive,
                               const ReadContext& context) const override
    {
        return listReads(primitive.key("session"), ListEnd::Right, context);
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        ListRead list = listRead(replies, ListEnd::Right, context);
        const Ttl ttl = list.ttl;
        reading.wantsLarge = list.wantsLarge;
        reading.state.payloads = list.payloads;
        PatternState pattern = listPattern(std::move(list), PatternState::Rows::Trail);
        // Each visit sets the full TTL, so the elapsed part is the time since the last visit.
        const auto whole = primitive.declaration ? primitive.declaration->ttlMs : std::nullopt;
        if (whole && ttl.ms && *ttl.ms <= *whole) {
            pattern.values.emplace_back(QByteArrayLiteral("idle_ms"), double(*whole - *ttl.ms));
            state.facts.push_back({LayoutText::tr("Last page"),
                                   LayoutText::tr("%1 ago").arg(formatDuration(*whole - *ttl.ms)),
                                   Source::Declared});
        }
        finalizePattern(state, std::move(pattern), ttl, context.nowMs);
        if (ttl.exists && !ttl.ms)
            state.health = Health::Warning; // it never expires
        return reading;
    }
};

} // namespace

LK_LAYOUT(navigationSession, NavigationSession)

} // namespace lk
