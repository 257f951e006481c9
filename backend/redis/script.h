// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"

namespace lk {

/// A Lua script with its SHA-1, as EVALSHA wants it (lower-case hex).
class Script
{
public:
    explicit Script(QByteArray source);

    /// Reads a script that was compiled in: ":/lua/recipes/rolling-window.lua".
    /// Errors: FileError.
    static Result<Script> fromResource(const QString& path);

    const QByteArray& source() const { return m_source; }
    const QByteArray& sha() const { return m_sha; }

    Command evalSha(const std::vector<QByteArray>& keys, const std::vector<QByteArray>& args) const;
    Command eval(const std::vector<QByteArray>& keys, const std::vector<QByteArray>& args) const;

private:
    QByteArray m_source;
    QByteArray m_sha;
};

/// True if the server does not have the script of an EVALSHA, so that nothing has run. Matches the
/// server's own text, since a script may return an error of that name after it has run.
bool isUnknownScript(const BatchResult& result);

/// Runs a script by its SHA. If the server answers NOSCRIPT (nothing has run then), sends the whole
/// script once. Never sends again after any other error. Returns the one reply. A script may write.
/// Errors: as Link::sendActing(), SessionReadOnly without write mode. An error reply of the server
/// is a reply.
Task<Result<Reply>> runScript(Link& connection, Script script, std::vector<QByteArray> keys,
                              std::vector<QByteArray> args, QObject* context);

} // namespace lk
