// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/locks/ownerlock.h"

#include "backend/layouts/locks/locknames.h"
#include "backend/layouts/locks/lockreading.h"
#include "backend/layouts/probe/valueshape.h"

namespace lk {

namespace {

std::string_view viewOf(const QByteArray& text)
{
    return {text.constData(), size_t(text.size())};
}

} // namespace

std::vector<QByteArray> OwnerLock::nameParts(KeyType) const
{
    if (m_rule.nameless != 0)
        return {};
    std::vector<QByteArray> parts = m_rule.places;
    if (m_rule.isPlaced)
        parts.push_back(QByteArrayLiteral("_cache"));
    return parts;
}

std::optional<Claim> OwnerLock::classify(const Probe& probe) const
{
    if (probe.type != KeyType::String || probe.headTruncated() ||
        (m_rule.needsTtl && !probe.ttlMs) || !mayBe(m_rule.form, probe.head))
        return std::nullopt;
    bool named = m_rule.places.empty() && (m_rule.nameless == 0 || isLockName(probe.name));
    for (const QByteArray& place : m_rule.places)
        named |= segmentAt(probe.name, viewOf(place)) >= 0;
    named |= m_rule.isPlaced && m_rule.isPlaced(probe.name);
    double confidence = named ? m_rule.named : m_rule.nameless;
    // A lock without TTL stays until its owner releases it; so does any other value.
    if (!probe.ttlMs && m_rule.places.empty() && !isLockName(probe.name))
        confidence = std::min(confidence, 0.8);
    // What the value says is the dearest question.
    if (confidence == 0 ||
        (m_rule.tells ? !looksLikeJson(probe.head)
                      : ownerInfoOf(probe.head, probe.nowMs).form != m_rule.form))
        return std::nullopt;
    return Claim{{id(), probe.name}, keysOf(probe.name), confidence};
}

Claim OwnerLock::declared(const Declaration& declaration, const QByteArray& name) const
{
    Claim claim = Layout::declared(declaration, name);
    if (const std::vector<KeyRole> keys = keysOf(name); keys.size() > 1)
        claim.keys.insert(claim.keys.end(), keys.begin() + 1, keys.end());
    return claim;
}

std::vector<KeyRole> OwnerLock::keysOf(const QByteArray& name) const
{
    std::vector<KeyRole> keys{{mainRole(), name}};
    if (m_rule.signal.isEmpty())
        return keys;
    const QByteArray& place = m_rule.places.front();
    const qsizetype at = segmentAt(name, viewOf(place));
    if (at >= 0)
        keys.push_back({QByteArrayLiteral("signal"),
                        name.left(at) + m_rule.signal + name.mid(at + place.size())});
    return keys;
}

std::vector<std::pair<QByteArray, QByteArray>>
OwnerLock::releaseMessages(const Primitive& primitive, const QByteArray& value) const
{
    if (m_rule.channel.isEmpty())
        return {};
    QByteArray message = m_rule.message;
    message.replace("<value>", value).replace("<key>", primitive.key("lock"));
    return {{m_rule.channel, message}};
}

std::vector<QByteArray> OwnerLock::ownersOf(const QByteArray& name) const
{
    if (m_rule.signal.isEmpty())
        return {};
    const qsizetype at = segmentAt(name, viewOf(m_rule.signal));
    if (at < 0)
        return {};
    return {name.left(at) + m_rule.places.front() + name.mid(at + m_rule.signal.size())};
}

std::vector<Command> OwnerLock::reads(const Primitive& primitive, const ReadContext&) const
{
    return ownerLockReads(primitive.key("lock"));
}

DecodeResult OwnerLock::read(const Primitive& primitive, std::span<const Reply> replies,
                             const ReadContext& context) const
{
    DecodeResult reading;
    reading.state = ownerLockState(primitive.key("lock"), replies, context);
    if (m_rule.outlivesWork && reading.state.present)
        reading.state.facts.push_back(
            {LayoutText::tr("Work"),
             LayoutText::tr("may have finished: the lock is kept for its minimum time"),
             Source::Inferred});
    return reading;
}

std::vector<Command> ownerLockReads(const QByteArray& key)
{
    return commandsOf(probecommands::head(key), probecommands::ttl(key));
}

State ownerLockState(const QByteArray& key, std::span<const Reply> replies,
                     const ReadContext& context)
{
    State state;
    LockState lock;
    const Ttl ttl = ttlOf(replies[1]);
    if (ttl.exists) {
        const QByteArray& value = replies[0].text;
        lock.phase = ttl.ms ? LockState::Phase::Held : LockState::Phase::NoTtl;
        lock.holds = 1;
        lock.leaseMs = ttl.ms;
        // A value that fills the head may go on; what is cut cannot be compared.
        takeOwner(lock, value, value.size() < Probe::headLimit);
        if (const QByteArray owner = ownerInObject(value); !owner.isEmpty())
            lock.ownerLabel = owner;
        lock.partOf = lockPartOf(key, value);
        if (lock.ownerKnown) {
            const OwnerInfo info = ownerInfoOf(value, context.nowMs);
            lock.ownerLabel = ownerLabel(info);
            if (context.depth == Depth::Detail)
                addOwnerFacts(state, info);
        }
    }
    finalizeLock(state, std::move(lock), ttl, context.nowMs);
    return state;
}

} // namespace lk
