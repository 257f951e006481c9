// SPDX-License-Identifier: GPL-3.0-or-later
// sidekiq-unique-jobs. A job locks the digest of its class and arguments. The hash <digest>:LOCKED
// contains the ids of the holders and the times since when they hold it. The other keys belong to
// the same digest.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/catalogue/sidekiq/uniquejobaction.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/lockreading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr const char* lockedEnd = ":LOCKED";
constexpr const char* otherEnds[] = {":QUEUED", ":PRIMED", ":INFO"};

bool isDigest(const QByteArray& name)
{
    constexpr std::string_view place = "uniquejobs:";
    const qsizetype at = segmentAt(name, place);
    if (at < 0)
        return false;
    QByteArrayView hash = QByteArrayView(name).sliced(at + qsizetype(place.size()));
    if (hash.endsWith(":RUN"))
        hash.chop(4);
    return (hash.size() == 32 || hash.size() == 64) && isHex(hash);
}

class UniqueJobs final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("sidekiq-unique-jobs"); }
    QString title() const override { return LayoutText::tr("sidekiq-unique-jobs lock"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::Hash; }
    QByteArray mainRole() const override { return QByteArrayLiteral("locked"); }
    KeyType mainType() const override { return KeyType::Hash; }
    ActionList actions() const override { return {&actions::releaseDigest()}; }
    bool allowsKeyActions() const override { return false; }

    std::vector<QByteArray> nameParts(KeyType) const override { return {lockedEnd}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::Hash || !probe.name.endsWith(lockedEnd))
            return std::nullopt;
        const QByteArray digest = probe.name.chopped(qsizetype(qstrlen(lockedEnd)));
        const bool ofJobs = std::all_of(probe.fieldNames.begin(), probe.fieldNames.end(),
                                        [](const QByteArray& f) { return isHex(f); });
        if (!isDigest(digest) || !ofJobs)
            return std::nullopt;
        return Claim{{id(), digest}, {{mainRole(), probe.name}}, 0.97};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        for (const char* end : otherEnds) {
            if (name.endsWith(end) && isDigest(name.chopped(qsizetype(qstrlen(end)))))
                return {name.chopped(qsizetype(qstrlen(end)))};
        }
        return isDigest(name) ? std::vector<QByteArray>{name} : std::vector<QByteArray>();
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        if (name.endsWith(lockedEnd))
            claim.id.name = name.chopped(qsizetype(qstrlen(lockedEnd)));
        return claim;
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("locked");
        return commandsOf(probecommands::ttl(key), probecommands::hashLength(key),
                          Command{"HSCAN", key, "0", "COUNT", QByteArray::number(mostLockHolders)});
    }

    // Most locks have no TTL. They end with their job, which is correct.
    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        lock.limit = std::nullopt; // only the job's class contains it
        const Ttl ttl = ttlOf(replies[0]);
        std::vector<LockHolder> holders;
        for (const auto& [job, since] : scannedFieldsOf(replies[2])) {
            LockHolder holder;
            holder.name = holderName(job);
            holder.leaseMs = ttl.ms;
            if (const auto seconds = decimalNumber(since))
                holder.sinceMs = wholeMs(toMs(*seconds, TimeUnit::Seconds));
            holders.push_back(std::move(holder));
        }
        lock.holdersTotal = countOf(replies[1]);
        finalizeHolders(lock, std::move(holders));
        finalizeLock(reading.state, std::move(lock), ttl, context.nowMs);
        return reading;
    }
};

} // namespace

LK_LAYOUT(sidekiqUniqueJobs, UniqueJobs)

} // namespace lk
