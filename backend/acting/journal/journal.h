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

/// The user, the place and the reason of an action.
struct AuditContext
{
    QString endpoint; ///< the server's; never contains a password
    QString reason;
    QString who;       ///< the real user's name on this machine, not from the environment
    QString host;      ///< this machine
    QString aclUser;   ///< the server's user; empty if not known
    QString node = {}; ///< the node it is sent to; empty if that is the endpoint
};

/// Returns the context with this program's user and machine.
AuditContext auditContextHere(QString endpoint, QString reason, QString aclUser);

/// One step, as read from the journal.
struct JournalEntry
{
    QByteArray receipt;
    QByteArray action;
    QString name;
    QStringList keys;
    QString endpoint;
    QString node; ///< the node it was sent to; empty if that is the endpoint
    QString who;
    QString host;
    QString aclUser;
    QString reason;
    QString guard;
    /// Unknown also if the program ended before the answer arrived.
    Outcome outcome = Outcome::Unknown;
    QString text;
    qint64 count = 0;
    qint64 localMs = 0;
    qint64 serverMs = 0; ///< 0: unknown
    QJsonArray before;   ///< per key: type, bytes, fingerprint, expiry
    QJsonArray after;
    bool undoable = false;
    QByteArray undoes; ///< the receipt of the step that this one undid
    QByteArray group;  ///< the run of several steps; empty if run alone

    QJsonObject toJson() const;
};

/// An append-only file of JSON lines, private to the user. Contains a line before a step is sent
/// and a line when its outcome is known; each is on disk before the call returns. Several programs
/// may write to it. Never contains a payload or a secret. Blocks for the disk, so not for the GUI
/// thread.
class Journal
{
public:
    /// path: the current file. Rotated files are beside it, with the suffixes .1, .2 ...
    explicit Journal(QString path, qint64 rotateAtBytes = 8 * 1024 * 1024);

    /// Errors: FileError. A step that cannot be journaled must not be run.
    Result<void> logIntent(const Receipt& receipt, const Plan& plan,
                           const AuditContext& auditContext);
    Result<void> logOutcome(const Receipt& receipt, const Plan& plan);

    /// The contents of the journal's files.
    struct Contents
    {
        std::vector<JournalEntry> entries; ///< oldest first
        qint64 broken = 0;                 ///< lines that are incomplete or not of the journal
    };
    /// most: the limit of entries; the latest are returned.
    Result<Contents> read(qint64 most = 10'000) const;

    const QString& path() const { return m_path; }

private:
    Result<void> append(const QJsonObject& line);
    Result<void> rotate();
    Result<std::vector<std::unique_ptr<QFile>>> open() const;

    QString m_path;
    qint64 m_rotateAtBytes;
};

/// The places of the journal and of the undo records: private to the user.
QString journalPath();
QString undoFolder();

} // namespace lk
