// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/missing.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostReasons = 40; // a hostile server may invent a new one for each key

// Parses "... no permissions to run the 'lrange' command", with "memory|usage" for a subcommand. A
// key's name may precede it, so the last match counts. Empty if the text is not about a command.
QByteArray deniedCommand(const QString& text)
{
    const QString before = QStringLiteral("to run the '");
    const qsizetype at = text.lastIndexOf(before);
    if (at < 0)
        return {};
    const qsizetype from = at + before.size();
    const qsizetype to = text.indexOf(QLatin1Char('\''), from);
    const QByteArray name = text.mid(from, to - from).toLatin1();
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '|' || c == '_' || c == '-' || c == '.';
    });
    return to > from && name.size() <= 40 && plain ? name : QByteArray();
}

} // namespace

Missing missingFor(const Error& error)
{
    Missing missing;
    if (error.code == ErrorCode::ReplyTooLarge) {
        missing.cause = Missing::Cause::TooLarge;
        return missing;
    }
    if (error.code == ErrorCode::NodeDown) {
        missing.cause = Missing::Cause::NodeDown;
        missing.detail = error.detail;
        return missing;
    }
    if (error.code == ErrorCode::Moved) {
        const std::optional<Redirection> to = redirectionOf(error);
        const bool migrating = to && to->migrating;
        missing.cause = migrating ? Missing::Cause::Migrating : Missing::Cause::OtherNodes;
        missing.detail = migrating ? to->node : QString();
        return missing;
    }
    if (error.code == ErrorCode::NoPerm) {
        if (const QByteArray command = deniedCommand(error.detail); !command.isEmpty()) {
            missing.cause = Missing::Cause::Command;
            missing.permission = '+' + command;
        } else if (const std::optional<int> database = deniedDatabaseOf(error)) {
            missing.cause = Missing::Cause::Database;
            missing.permission = "db=" + QByteArray::number(*database);
        } else {
            missing.cause = Missing::Cause::KeyPatterns;
            missing.permission = QByteArrayLiteral("~*");
        }
        return missing;
    }
    if (error.code != ErrorCode::ServerError || !error.detail.isEmpty())
        missing.error = error;
    return missing;
}

bool isSameReason(const Missing& a, const Missing& b)
{
    return a.cause == b.cause && a.permission == b.permission &&
           ((a.cause != Missing::Cause::Refused && a.cause != Missing::Cause::Migrating &&
             a.cause != Missing::Cause::NodeDown) ||
            (a.detail == b.detail && a.error == b.error));
}

QByteArray causeId(Missing::Cause cause)
{
    switch (cause) {
    case Missing::Cause::Command:
        return QByteArrayLiteral("command");
    case Missing::Cause::Database:
        return QByteArrayLiteral("database");
    case Missing::Cause::KeyPatterns:
        return QByteArrayLiteral("key-patterns");
    case Missing::Cause::OtherNodes:
        return QByteArrayLiteral("other-nodes");
    case Missing::Cause::NodeDown:
        return QByteArrayLiteral("node-down");
    case Missing::Cause::Migrating:
        return QByteArrayLiteral("migrating");
    case Missing::Cause::TooLarge:
        return QByteArrayLiteral("too-large");
    case Missing::Cause::Endless:
        return QByteArrayLiteral("endless");
    case Missing::Cause::Stopped:
        return QByteArrayLiteral("stopped");
    case Missing::Cause::NotRecorded:
        return QByteArrayLiteral("not-recorded");
    case Missing::Cause::Refused:
        break;
    }
    return QByteArrayLiteral("refused");
}

bool isUnread(const Error& error)
{
    return error.code != ErrorCode::WrongType && error.code != ErrorCode::Undecodable &&
           error.code != ErrorCode::NotFound;
}

Missing& MissingTally::placeFor(const Missing& like)
{
    auto it = std::find_if(m_all.begin(), m_all.end(),
                           [&like](const Missing& m) { return isSameReason(m, like); });
    if (it == m_all.end() && m_all.size() >= mostReasons)
        return m_all.back();
    if (it == m_all.end()) {
        Missing fresh;
        fresh.cause = like.cause;
        fresh.permission = like.permission;
        fresh.detail = like.detail;
        fresh.error = like.error;
        m_all.push_back(fresh);
        it = m_all.end() - 1;
    }
    if (it->detail.isEmpty())
        it->detail = like.detail;
    return *it;
}

void MissingTally::addKeys(const Error& error, qint64 keys)
{
    placeFor(missingFor(error)).keys += keys;
}

void MissingTally::addPrimitive(const Error& error, Kind kind)
{
    Error reason = error;
    // A key's name before the server's text would make each key a separate reason.
    if (reason.code != ErrorCode::NoPerm && reason.code != ErrorCode::Moved &&
        reason.code != ErrorCode::NodeDown)
        reason.detail.clear();
    ++placeFor(missingFor(reason)).primitives[size_t(kind)];
}

void MissingTally::add(const Missing& missing)
{
    Missing& place = placeFor(missing);
    place.keys += missing.keys;
    for (size_t i = 0; i < missing.primitives.size(); ++i)
        place.primitives[i] += missing.primitives[i];
}

} // namespace lk
