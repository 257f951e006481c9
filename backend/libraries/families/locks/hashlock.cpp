// SPDX-License-Identifier: GPL-3.0-or-later
// Locks that are a hash with a TTL. Either one field is named after the owner and counts its holds,
// or a field contains the owner. The lock of ioredfour has only a number, which comes from a
// counter beside it; its release notifies waiters on "<namespace>-release".
#include "backend/libraries/families/locks/hashlock.h"
#include "backend/libraries/detect/wordlists.h"

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/ownershape.h"

#include "backend/core/names/namewords.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

constexpr qint64 mostFields = 8;
constexpr qint64 longestLeaseMs = 24LL * 3600 * 1000;

// Fields that name the owner, most reliable first.
constexpr std::array<std::string_view, 8> hashOwnerFields{
    "owner", "holder", "lockedBy", "locked_by", "ownerId", "owner_id", "lockOwner", "lock_owner"};
constexpr std::string_view indexField = "index";

QByteArray bytesOf(std::string_view text)
{
    return QByteArrayView(text).toByteArray();
}

// True if the name begins or ends with a word for a lock and has no word for another use.
bool isPlaced(const QByteArray& name)
{
    return isLockName(name) && !hasWord(name, wordsIn<"not-hash-locks">());
}

// ioredfour: the counter of "<namespace>:<id>" is in "<namespace>index".
std::vector<QByteArray> countersOf(const QByteArray& name)
{
    constexpr size_t mostCounters = 3;
    std::vector<QByteArray> names;
    for (qsizetype colon = name.indexOf(':'); colon > 0 && names.size() < mostCounters;
         colon = name.indexOf(':', colon + 1))
        names.push_back(name.left(colon) + bytesOf(indexField));
    return names;
}

QByteArray counterOf(const Probe& probe)
{
    for (const QByteArray& name : countersOf(probe.name)) {
        if (probe.sibling(name) == KeyType::String)
            return name;
    }
    return {};
}

class HashLock final : public PlannedLayout, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("hash-lock"); }
    QString title() const override { return LayoutText::tr("Lock in a hash"); }
    Kind kind() const override { return Kind::Lock; }
    bool wants(KeyType type) const override { return type == KeyType::Hash; }
    QByteArray mainRole() const override { return QByteArrayLiteral("lock"); }
    KeyType mainType() const override { return KeyType::Hash; }
    ActionList actions() const override { return {&actions::releaseHash()}; }
    std::vector<QByteArray> hashFields() const override
    {
        std::vector<QByteArray> fields;
        for (const std::string_view field : hashOwnerFields)
            fields.push_back(bytesOf(field));
        fields.push_back(bytesOf(indexField));
        return fields;
    }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        return type == KeyType::Hash ? countersOf(name) : std::vector<QByteArray>();
    }
    std::optional<std::vector<QByteArray>> siblingsOf(const Probe& probe) const override
    {
        const bool may = probe.fieldNames.size() == 1 && probe.fieldNames.front() == "index";
        return may ? countersOf(probe.name) : std::vector<QByteArray>();
    }
    bool hasSiblings(KeyType type) const override { return type == KeyType::Hash; }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type != KeyType::Hash || !probe.ttlMs || *probe.ttlMs > longestLeaseMs ||
            probe.length > mostFields)
            return std::nullopt;
        Claim claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0, {}, Doubt::ValueOnly};
        const bool placed = isPlaced(probe.name);
        const QByteArray* index = probe.field(indexField);
        const QByteArray counter = probe.length == 1 && index ? counterOf(probe) : QByteArray();
        if (!counter.isEmpty() && wholeNumber(*index)) {
            claim.keys.push_back({QByteArrayLiteral("counter"), counter});
            claim.confidence = certainFrom;
        } else if (probe.length == 1 && probe.fieldNames.size() == 1 &&
                   isOwner(probe.fieldNames.front())) {
            claim.confidence = placed ? 0.75 : 0.3;
        } else if (std::any_of(hashOwnerFields.begin(), hashOwnerFields.end(),
                               [&](std::string_view field) {
                                   const QByteArray* owner = probe.field(field);
                                   return owner && !owner->isEmpty() && !looksLikeJson(*owner);
                               })) {
            claim.confidence = placed ? 0.75 : isLockName(probe.name) ? 0.4 : 0;
            claim.doubt = Doubt::OtherWords;
        }
        return claim.confidence > 0 ? std::optional(std::move(claim)) : std::nullopt;
    }

    std::vector<std::pair<QByteArray, QByteArray>> releaseMessages(const Primitive& primitive,
                                                                   const QByteArray&) const override
    {
        QByteArray counter = primitive.key("counter");
        if (!counter.endsWith("index"))
            return {};
        counter.chop(qsizetype(indexField.size()));
        return {{counter + "-release", primitive.key("lock")}};
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return hashLockReads(primitive.key("lock"));
    }

    DecodeResult read(const Primitive&, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        std::vector<QByteArray> ownerFields;
        for (const std::string_view field : hashOwnerFields)
            ownerFields.push_back(bytesOf(field));
        ownerFields.push_back(bytesOf(indexField));
        DecodeResult reading;
        reading.state = hashLockState(replies, ownerFields, context);
        return reading;
    }

private:
    static bool isOwner(const QByteArray& field)
    {
        return looksLikeOwnerToken(field) ||
               (field.size() > 37 && isUuid(QByteArrayView(field).first(36)));
    }
};

} // namespace

std::vector<Command> hashLockReads(const QByteArray& key)
{
    return {probecommands::ttl(key), {"HSCAN", key, "0", "COUNT", QByteArray::number(mostFields)}};
}

State hashLockState(std::span<const Reply> replies, const std::vector<QByteArray>& ownerFields,
                    const ReadContext& context)
{
    constexpr qint64 mostHolds = 1000;
    State state;
    LockState lock;
    const Ttl ttl = ttlOf(replies[0]);
    const auto fields = scannedFieldsOf(replies[1]);
    std::vector<LockHolder> holders;
    const auto add = [&](const QByteArray& name, qint64 holds) {
        LockHolder holder;
        holder.name = holderName(name);
        holder.holds = holds;
        holder.leaseMs = ttl.ms;
        holder.label = ownerLabel(ownerInfoOf(name, context.nowMs));
        holders.push_back(std::move(holder));
    };
    for (const QByteArray& field : ownerFields) {
        const auto it = std::find_if(fields.begin(), fields.end(),
                                     [&](const auto& f) { return f.first == field; });
        if (it != fields.end() && holders.empty())
            add(it->second, 1);
    }
    if (holders.empty() && fields.size() == 1)
        add(fields.front().first,
            std::clamp<qint64>(wholeNumber(fields.front().second).value_or(1), 1, mostHolds));
    finalizeHolders(lock, std::move(holders));
    lock.limit = 1;
    finalizeLock(state, std::move(lock), ttl, context.nowMs);
    return state;
}

LK_LAYOUT(hashLock, HashLock)

} // namespace lk
