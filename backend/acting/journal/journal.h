// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/receipt.h"
#include "backend/core/result.h"
#include "backend/libraries/api/plan.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QString>

#include <memory>

class QFile;

namespace lk {

/// Who acts, where and why.
struct AuditContext
{
    QString endpoint; ///< of the server; never a password
    QString reason;
    QString who;       ///< the real user's name on this machine, whatever the environment says
    QString host;      ///< this machine
    QString aclUser;   ///< the server's user; empty where it is not known
    QString node = {}; ///< that it is sent to; empty where that is the endpoint
};

/// The user and machine that this program runs as and on.
AuditContext auditContextHere(QString endpoint, QString reason, QString aclUser);

/// One step as the journal tells it.
struct JournalEntry
{
    QByteArray receipt;
    QByteArray action;
    QString name;
    QStringList keys;
    QString endpoint;
    QString node; ///< that it was sent to; empty where that is the endpoint
    QString who;
    QString host;
    QString aclUser;
    QString reason;
    QString guard;
    /// Unknown also where the program ended before it had an answer.
    Outcome outcome = Outcome::Unknown;
    QString text;
    qint64 count = 0;
    qint64 localMs = 0;
    qint64 serverMs = 0; ///< 0: unknown
    QJsonArray before;   ///< per key: type, bytes, fingerprint, expiry
    QJsonArray after;
    bool undoable = false;
    QByteArray undoes; ///< the receipt that this step took back
    QByteArray group;  ///< what was run together has one; empty: it was alone

    QJsonObject toJson() const;
};

/// An append-only file of JSON lines, private to the user: a line before a step is sent, a line
/// when its outcome is known, each on the disk before this goes on. Several programs may write
/// to it. Never holds a payload or a secret. Blocks for the disk: not for the GUI thread.
class Journal
{
public:
    /// path: the present file; older ones stand beside it with .1, .2 ... after they grew.
    explicit Journal(QString path, qint64 rotateAtBytes = 8 * 1024 * 1024);

    /// Errors: FileError. A step that cannot be journaled must not be taken.
    Result<void> logIntent(const Receipt& receipt, const Plan& plan,
                           const AuditContext& auditContext);
    Result<void> logOutcome(const Receipt& receipt, const Plan& plan);

    /// What was read of the journal's file.
    struct Contents
    {
        std::vector<JournalEntry> entries; ///< oldest first
        qint64 broken = 0;                 ///< lines that are not whole or not of the journal
    };
    /// At most so many of the latest entries.
    Result<Contents> read(qint64 most = 10'000) const;

    const QString& path() const { return m_path; }

private:
    Result<void> append(const QJsonObject& line);
    Result<void> rotate();
    Result<std::vector<std::unique_ptr<QFile>>> open() const;

    QString m_path;
    qint64 m_rotateAtBytes;
};

/// Where the journal and what undo needs are kept: private to the user.
QString journalPath();
QString undoFolder();

} // namespace lk
