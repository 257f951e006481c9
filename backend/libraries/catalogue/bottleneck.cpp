// SPDX-License-Identifier: GPL-3.0-or-later
// Bottleneck 2 (npm) with its Redis datastore: b_<id>_settings and seven keys beside it. The limits
// are stored, and so are the running jobs of each client.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/limiters/limiteractions.h"
#include "backend/libraries/families/limiters/limiterreading.h"

#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>
#include <array>

namespace lk {

namespace {

const QByteArray tail = QByteArrayLiteral("_settings");
constexpr std::array others{"job_weights",     "job_expirations",   "job_clients",
                            "client_running",  "client_num_queued", "client_last_registered",
                            "client_last_seen"};
const std::vector<QByteArray>& settings()
{
    static const std::vector<QByteArray> fields{"maxConcurrent",
                                                "running",
                                                "reservoir",
                                                "minTime",
                                                "unblockTime",
                                                "done",
                                                "reservoirRefreshInterval",
                                                "reservoirRefreshAmount",
                                                "lastReservoirRefresh"};
    return fields;
}

// "app:b_mails_settings" -> "app:b_mails"
std::optional<QByteArray> bottleneckStem(const QByteArray& key, const QByteArray& ending)
{
    const QByteArray stem = key.chopped(std::min(key.size(), ending.size()));
    const qsizetype at = stem.indexOf("b_");
    const bool begins = at == 0 || (at > 0 && !isalnum(uchar(stem[at - 1])));
    return key.endsWith(ending) && begins ? std::optional(stem) : std::nullopt;
}

std::optional<qint64> numberIn(const Reply& reply, const char* field)
{
    const auto text = fieldOf(reply, settings(), field);
    return text ? wholeNumber(*text) : std::nullopt;
}

class Bottleneck final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("bottleneck"); }
    QString title() const override { return QStringLiteral("Bottleneck"); }
    Kind kind() const override { return Kind::Limiter; }
    LayoutOrigin origin() const override
    {
        return {{},
                QStringLiteral("bottleneck"),
                QStringLiteral("2"),
                QStringLiteral("https://github.com/SGrondin/bottleneck#clustering"),
                {}};
    }
    bool wants(KeyType type) const override { return type == KeyType::Hash; }
    QByteArray mainRole() const override { return QByteArrayLiteral("settings"); }
    KeyType mainType() const override { return KeyType::Hash; }
    std::vector<QByteArray> hashFields() const override
    {
        return {"maxConcurrent", "running", "minTime"};
    }
    bool allowsKeyActions() const override { return false; }

    // The other seven keys prove nothing by themselves.
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        if (!name.contains("b_"))
            return {};
        for (const char* other : others) {
            if (const auto stem = bottleneckStem(name, '_' + QByteArray(other)))
                return {*stem + tail};
        }
        return {};
    }

    std::vector<QByteArray> nameParts(KeyType) const override { return {"b_"}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const auto stem =
            probe.type == KeyType::Hash ? bottleneckStem(probe.name, tail) : std::nullopt;
        if (!stem || !probe.field("maxConcurrent") || !probe.field("running") ||
            !probe.field("minTime"))
            return std::nullopt;
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.97};
        for (const char* other : others)
            claim.keys.push_back({QByteArray(other), *stem + QByteArrayLiteral("_") + other, true});
        return claim;
    }

    ActionList actions() const override { return {&actions::checkLimiter()}; }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("settings");
        const QByteArray stem = key.chopped(std::min(key.size(), tail.size()));
        return commandsOf(probecommands::hashFields(key, settings()), probecommands::ttl(key),
                          Command{"ZREVRANGE", stem + "_client_running", "0", "15", "WITHSCORES"},
                          Command{"ZCARD", stem + "_client_running"},
                          Command{"ZCARD", stem + "_job_expirations"});
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        State& state = reading.state;
        LimiterState limiter = declaredLimiter(primitive, Algorithm::Concurrency);
        const Ttl ttl = ttlOf(replies[1]);
        state.ttlMs = ttl.ms;
        if (!ttl.exists) {
            state.body = limiter;
            finalizeAbsentLimiter(state);
            return reading;
        }
        if (const auto most = numberIn(replies[0], "maxConcurrent")) {
            limiter.limit = most;
            limiter.limitSource = Source::Stored;
        }
        limiter.occupancy = numberIn(replies[0], "running");
        addFacts(state, replies[0], context.nowMs);
        takeReservoir(limiter, state, replies[0], context.nowMs);
        for (const ScoredMember& client : scoredMembersOf(replies[2])) {
            if (client.score > 0)
                limiter.consumers.push_back({client.member, {}, {}, qint64(client.score), {}});
        }
        limiter.consumersTotal = countOf(replies[3]);
        state.body = std::move(limiter);
        finalizeLimiter(state);
        return reading;
    }

private:
    // A reservoir that is refilled is a window: a number of jobs per interval. The next client that
    // asks does an overdue refill. The number of jobs running at the same time is then added as a
    // fact.
    static void takeReservoir(LimiterState& limiter, State& state, const Reply& settings,
                              qint64 nowMs)
    {
        const auto left = numberIn(settings, "reservoir");
        const auto window = numberIn(settings, "reservoirRefreshInterval");
        const auto amount = numberIn(settings, "reservoirRefreshAmount");
        const auto last = numberIn(settings, "lastReservoirRefresh");
        if (!left || !window || *window <= 0 || !amount || *amount <= 0 || !last)
            return;
        if (limiter.limitSource == Source::Stored && limiter.limit)
            state.facts.push_back(
                {LayoutText::tr("Running at the same time"),
                 LayoutText::tr("%1 of %2")
                     .arg(QLocale().toString(numberIn(settings, "running").value_or(0)),
                          QLocale().toString(*limiter.limit)),
                 Source::Stored});
        const qint64 endsMs = *last + *window - nowMs;
        limiter.algorithm = Algorithm::FixedWindow;
        limiter.limit = amount;
        limiter.limitSource = Source::Stored;
        limiter.windowMs = window;
        limiter.windowSource = Source::Stored;
        limiter.occupancy = endsMs > 0 ? std::max<qint64>(0, *amount - *left) : 0;
        if (endsMs > 0 && *left <= 0)
            limiter.nextFreeMs = endsMs;
        if (endsMs > 0)
            state.revisitAtMs = nowMs + endsMs + 1;
    }

    static void addFacts(State& state, const Reply& settings, qint64 nowMs)
    {
        if (const auto left = numberIn(settings, "reservoir"))
            state.facts.push_back(
                {LayoutText::tr("Reservoir"), QLocale().toString(*left), Source::Stored});
        if (const auto apart = numberIn(settings, "minTime"); apart && *apart > 0)
            state.facts.push_back(
                {LayoutText::tr("Time between jobs"), formatDuration(*apart), Source::Stored});
        if (const auto until = numberIn(settings, "unblockTime"); until && *until > nowMs)
            state.facts.push_back(
                {LayoutText::tr("Blocked for"), formatDuration(*until - nowMs), Source::Stored});
        if (const auto done = numberIn(settings, "done"))
            state.facts.push_back(
                {LayoutText::tr("Jobs done"), QLocale().toString(*done), Source::Stored});
    }
};

} // namespace

LK_LAYOUT(bottleneck, Bottleneck)

} // namespace lk
