// SPDX-License-Identifier: GPL-3.0-or-later
// SET key owner NX PX lease: the lock of the talk and of most libraries. The value is the owner's
// token, which its release compares.
#include "backend/core/timeunit.h"
#include "backend/layouts/locks/locknames.h"
#include "backend/layouts/locks/ownerlock.h"
#include "backend/layouts/replyvalues.h"
#include "backend/layouts/valueshape.h"

#include "backend/core/keyname.h"

namespace lk {

namespace {

// Random values under these names are content, not owners.
bool namedOtherwise(const QByteArray& name)
{
    return hasWord(
        name, {"cache",  "cached",      "session",    "sessions",  "sess", "sid",     "csrf",
               "xsrf",   "etag",        "hash",       "checksum",  "sha",  "md5",     "version",
               "commit", "build",       "config",     "nonce",     "used", "revoked", "blacklist",
               "idem",   "idempotency", "idempotent", "heartbeat", "user", "users",   "email",
               "result", "ref",         "id",         "node",      "host", "addr",    "url"});
}

// A lock's value under a name that says "lock"; 0 if it is something else.
double namedConfidence(const Probe& probe)
{
    if (probe.head.isEmpty())
        return 0;
    if (looksLikeOwnerToken(probe.head))
        return 0.85;
    if (const auto number = decimalNumber(probe.head)) {
        // A time without TTL is a lock of the other kind: its value is when it ends.
        if (!probe.ttlMs && timeUnitOf(*number))
            return 0.3;
        return probe.ttlMs ? 0.7 : 0.55;
    }
    return looksLikeJson(probe.head) || probe.headTruncated() ? 0.6 : 0.7;
}

class SetNxPx final : public PlannedLayout
{
public:
    QByteArray id() const override { return QByteArrayLiteral("set-nx-px"); }
    QString title() const override { return LayoutText::tr("Lock with owner and TTL"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::String; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::String; }
    QString exampleDeclaration() const override
    {
        return QStringLiteral("[[lock]]\n"
                              "key = \"reservation:*\"\n"
                              "layout = \"set-nx-px\"");
    }
    bool isPlainest(KeyType type) const override
    {
        return type == KeyType::String || type == KeyType::None;
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::String)
            return std::nullopt;
        double confidence = 0;
        if (isLockName(probe.name))
            confidence = namedConfidence(probe);
        else if (probe.ttlMs && !probe.headTruncated() && looksLikeOwnerToken(probe.head) &&
                 !namedOtherwise(probe.name))
            confidence = 0.5;
        if (confidence == 0)
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, confidence};
    }

    std::vector<QByteArray> actions() const override { return {"lock.release", "lock.lease"}; }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return ownerLockReads(primitive.key("lock"));
    }

    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = ownerLockState(primitive.key("lock"), replies, context.nowMs);
        return reading;
    }
};

} // namespace

namespace layouts {
const Layout& setNxPx()
{
    static const SetNxPx layout;
    return layout;
}
} // namespace layouts

} // namespace lk
