// SPDX-License-Identifier: GPL-3.0-or-later
// The reader-writer lock of DistributedLock for .NET. The readers are in a set, the writer is in a
// string. The owner in that string ends with _WRITERWAITING while it waits for the last reader.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/ownershape.h"

#include <algorithm>

namespace lk {

namespace {

constexpr const char* readersEnd = ".readers";
constexpr const char* writerEnd = ".writer";
constexpr const char* waitingEnd = "_WRITERWAITING";

QByteArray withoutEnd(const QByteArray& text, const char* end)
{
    return text.endsWith(end) ? text.chopped(qsizetype(qstrlen(end))) : text;
}

bool isHolder(const QByteArray& owner)
{
    const QByteArray its = withoutEnd(owner, waitingEnd);
    return mayBe(OwnerForm::MachinePid, its) && ownerInfoOf(its, 0).form == OwnerForm::MachinePid;
}

class ReaderWriterLock final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("distributedlock-net-rw"); }
    QString title() const override
    {
        return LayoutText::tr("DistributedLock reader-writer lock (.NET)");
    }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::String || type == KeyType::Set;
    }
    QByteArray mainRole() const override { return QByteArrayLiteral("writer"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return {&actions::releaseReaderWriter()}; }

    std::vector<QByteArray> nameParts(KeyType) const override { return {readersEnd, writerEnd}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        const bool readers = probe.type == KeyType::Set && probe.name.endsWith(readersEnd) &&
                             !probe.sample.empty() &&
                             std::all_of(probe.sample.begin(), probe.sample.end(), isHolder);
        const bool writer =
            probe.type == KeyType::String && probe.name.endsWith(writerEnd) && isHolder(probe.head);
        if (!readers && !writer)
            return std::nullopt;
        const QByteArray stem = withoutEnd(probe.name, readers ? readersEnd : writerEnd);
        return Claim{{id(), stem}, keysOf(stem), 0.97};
    }

    Claim declared(const Declaration&, const QByteArray& name) const override
    {
        const QByteArray stem = withoutEnd(withoutEnd(name, readersEnd), writerEnd);
        return {{id(), stem}, keysOf(stem), 1};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray readers = primitive.key("readers");
        const QByteArray writer = primitive.key("writer");
        return commandsOf(
            probecommands::head(writer), probecommands::ttl(writer), probecommands::ttl(readers),
            Command{"SCARD", readers},
            Command{"SSCAN", readers, "0", "COUNT", QByteArray::number(mostLockHolders)});
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        const Ttl ofWriter = ttlOf(replies[1]);
        const Ttl ofReaders = ttlOf(replies[2]);
        const QByteArray owner = ofWriter.exists ? replies[0].text : QByteArray();
        const bool waits = owner.endsWith(waitingEnd);
        std::vector<LockHolder> holders;
        const auto add = [&](const QByteArray& name, const Ttl& ttl, bool shared) {
            LockHolder holder;
            holder.name = holderName(name);
            holder.label = ownerLabel(ownerInfoOf(name, context.nowMs));
            holder.shared = shared;
            holder.leaseMs = ttl.ms;
            holders.push_back(std::move(holder));
        };
        if (ofWriter.exists && !waits)
            add(owner, ofWriter, false);
        for (const QByteArray& reader : scannedMembersOf(replies[4]))
            add(reader, ofReaders, true);
        lock.shared = !holders.empty() && holders.back().shared;
        lock.limit = lock.shared ? std::nullopt : std::optional<qint64>(1);
        lock.holdersTotal = countOf(replies[3]) + (ofWriter.exists && !waits ? 1 : 0);
        lock.waiters = waits ? 1 : 0; // only the first waiting writer is stored
        if (waits)
            lock.waiting.push_back({holderName(withoutEnd(owner, waitingEnd)), ofWriter.ms});
        finalizeHolders(lock, std::move(holders));
        const Ttl all{ofWriter.exists || ofReaders.exists,
                      ofReaders.exists ? ofReaders.ms : ofWriter.ms};
        finalizeLock(reading.state, std::move(lock), all, context.nowMs);
        return reading;
    }

private:
    static std::vector<KeyRole> keysOf(const QByteArray& stem)
    {
        return {{QByteArrayLiteral("writer"), stem + writerEnd},
                {QByteArrayLiteral("readers"), stem + readersEnd}};
    }
};

} // namespace

LK_LAYOUT(distributedReaderWriter, ReaderWriterLock)

} // namespace lk
