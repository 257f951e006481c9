// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/kind.h"

#include <QByteArray>
#include <QString>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace lk {

/// One reason why a scan did not read everything, with the number of keys and primitives concerned.
struct Missing
{
    /// Why it was not read.
    enum class Cause : quint8 {
        Command,     ///< this user may not run a command
        Database,    ///< this user may not use the database
        KeyPatterns, ///< keys outside this user's key patterns
        OtherNodes,  ///< keys on other nodes of the cluster
        NodeDown,    ///< a node of the cluster does not answer
        Migrating,   ///< keys whose slot is on its way to another node of the cluster
        TooLarge,    ///< a reply above the caps
        Endless,     ///< SCAN never came back to 0
        Stopped,     ///< a person stopped the scan
        NotRecorded, ///< there is no recording of that moment
        Refused,     ///< any other error reply
    };
    Cause cause = Cause::Refused;
    QByteArray permission; ///< the ACL rule that would help: "+lrange", "~*", "db=3"; empty: none
    QString detail; ///< OtherNodes: how much this node has; Migrating: the other node; NodeDown:
                    ///< the node; NotRecorded: the last record before; or empty
    std::optional<Error> error; ///< Refused: the server's error; may be empty
    qint64 keys = 0;            ///< number of keys whose layout could not be detected
    std::array<qint64, allKinds.size()> primitives{}; ///< detected, but not read; by Kind

    bool operator==(const Missing&) const = default;
};

/// The reason for an error reply, with all counts 0.
Missing missingFor(const Error& error);
bool isSameReason(const Missing& a, const Missing& b);

QByteArray causeId(Missing::Cause cause); ///< as in the JSON: "command", "key-patterns"

/// True where the error means that a value was not seen: denied, moved, too large. False where it
/// was seen and is not what was expected.
bool isUnread(const Error& error);

/// Groups unread keys and primitives by reason. The number of reasons is bounded.
class MissingTally
{
public:
    void addKeys(const Error& error, qint64 keys = 1);
    void addPrimitive(const Error& error, Kind kind);
    /// Adds counts made elsewhere; counts of the same reason are summed up.
    void add(const Missing& missing);
    void clear() { m_all.clear(); }

    const std::vector<Missing>& all() const { return m_all; }

private:
    Missing& placeFor(const Missing& like);

    std::vector<Missing> m_all;
};

} // namespace lk
