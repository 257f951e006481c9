// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lk {

/// A member of a sorted set.
struct ScoredMember
{
    QByteArray member;
    double score = 0;
};

/// A key beside the probed one, and its type (None if it does not exist).
struct Sibling
{
    QByteArray name;
    KeyType type = KeyType::None;
};

/// The result of a bounded read of one key: all that classification may use. A value; tests create
/// them by hand.
struct Probe
{
    QByteArray name;
    KeyType type = KeyType::None;
    qint64 nowMs = 0;                  ///< server time of the read
    std::optional<qint64> ttlMs;       ///< empty: no TTL
    QByteArray head;                   ///< String: the first headLimit bytes
    std::vector<ScoredMember> members; ///< ZSet: the lowest by score, at most memberLimit
    qint64 length = 0;                 ///< Hash: number of fields
    std::vector<std::pair<QByteArray, QByteArray>>
        fields; ///< Hash: of Layout::hashFields(), those that exist
    /// Hash: the names of its fields, 32 at most, without values; a few from servers before 6.2.
    std::vector<QByteArray> fieldNames;
    // The content of a list, a set or a stream. Also empty if it was too large to read.
    QByteArray first;               ///< List: the element at the left end
    QByteArray last;                ///< List: the element at the right end
    std::vector<QByteArray> sample; ///< Set: a few members
    std::vector<QByteArray> groups; ///< Stream: the names of its consumer groups
    bool fieldsExpire = false;      ///< Hash: this server version has field expiry
    std::vector<Sibling> siblings;  ///< from SiblingKeys, in no order

    /// The commands of the probe and their replies, by index. They answer a read plan that has the
    /// same commands.
    std::vector<Command> asked;
    std::vector<Reply> replies;

    static constexpr int headLimit = 128;
    static constexpr int memberLimit = 16;

    bool headTruncated() const { return head.size() >= headLimit; }
    KeyType sibling(const QByteArray& siblingName) const
    {
        for (const Sibling& s : siblings) {
            if (s.name == siblingName)
                return s.type;
        }
        return KeyType::None;
    }
    const QByteArray* field(std::string_view fieldName) const
    {
        // Of dozens of fields, nearly all differ in length or in their first letter.
        for (const auto& [key, value] : fields) {
            const std::string_view its(key.constData(), size_t(key.size()));
            if (its.size() == fieldName.size() &&
                (its.empty() || (its.front() == fieldName.front() && its == fieldName)))
                return &value;
        }
        return nullptr;
    }
};

/// The commands of a probe, shared by prober and layouts so that plans can be answered by it.
namespace probecommands {
Command ttl(const QByteArray& key);           ///< PTTL key
Command head(const QByteArray& key);          ///< GETRANGE key 0 127
Command lowestMembers(const QByteArray& key); ///< ZRANGE key 0 15 WITHSCORES
Command hashLength(const QByteArray& key);    ///< HLEN key
Command hashFields(const QByteArray& key, const std::vector<QByteArray>& fields); ///< HMGET
Command fieldNames(const QByteArray& key);    ///< HRANDFIELD key 32
Command firstElement(const QByteArray& key);  ///< LRANGE key 0 0
Command lastElement(const QByteArray& key);   ///< LRANGE key -1 -1
Command sampleMembers(const QByteArray& key); ///< SRANDMEMBER key 4; 100 for a set of queue names
Command streamGroups(const QByteArray& key);  ///< XINFO GROUPS key
} // namespace probecommands

} // namespace lk
