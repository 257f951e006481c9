// SPDX-License-Identifier: GPL-3.0-or-later
// Nextcloud's file locks. The string is "exclusive" or the number of readers. It does not name
// them.
#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockreading.h"

namespace lk {

namespace {

constexpr qint64 longestTtlMs = 3'600'000; // the default of one hour; no file is locked longer

bool isExclusive(const QByteArray& value)
{
    return value == "exclusive" || value == "\"exclusive\"";
}

// "<instance>/lockfiles/<md5 of the path>". The number alone may be any counter.
bool isFileName(const QByteArray& name)
{
    constexpr qsizetype hash = 32;
    const qsizetype slash = name.lastIndexOf('/');
    return slash > 0 && name.size() - slash - 1 == hash &&
           isHex(QByteArrayView(name).sliced(slash + 1)) && name.left(slash).endsWith("files") &&
           name.contains("lock");
}

class NextcloudLock final : public PlannedLayout, public KeyHints
{
public:
    QByteArray id() const override { return QByteArrayLiteral("nextcloud-file-lock"); }
    QString title() const override { return LayoutText::tr("Nextcloud file lock"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }
    ActionList actions() const override { return {&actions::releaseLock()}; }

    std::vector<QByteArray> nameParts(KeyType) const override { return {"files/"}; }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String || !probe.ttlMs || *probe.ttlMs > longestTtlMs)
            return std::nullopt;
        const auto readers = wholeNumber(probe.head);
        if (!isFileName(probe.name) || !(isExclusive(probe.head) || (readers && *readers >= 0)))
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.95};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("lock");
        return commandsOf(probecommands::head(key), probecommands::ttl(key));
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        LockState lock;
        const Ttl ttl = ttlOf(replies[1]);
        const auto readers = wholeNumber(replies[0].text);
        lock.leaseMs = ttl.ms;
        if (isExclusive(replies[0].text)) {
            lock.holds = 1;
        } else if (readers) {
            lock.holds = std::max<qint64>(0, *readers);
            lock.shared = true;
            lock.limit = std::nullopt;
        }
        // The value is 0 between the creation of the key and the first lock.
        lock.phase = lock.holds == 0 ? LockState::Phase::Free
                     : ttl.ms        ? LockState::Phase::Held
                                     : LockState::Phase::NoTtl;
        if (ttl.exists && !readers && lock.holds == 0)
            reading.state.problem =
                Error{ErrorCode::Undecodable, LayoutText::tr("the value is not a number")};
        finalizeLock(reading.state, std::move(lock), ttl, context.nowMs);
        return reading;
    }
};

} // namespace

LK_LAYOUT(nextcloudLock, NextcloudLock)

} // namespace lk
