// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/snapshot.h"

#include <QByteArrayList>
#include <QMetaType>

namespace lk {

/// One occasion on which a rule's condition held for long enough. Times are milliseconds of the
/// server's clock. Immutable; shared by threads. Never contains a token's code.
struct Alert
{
    QByteArray id;   ///< unique per occasion; the same in all of its notifications
    QByteArray rule; ///< AlertRule::id()
    Finding::Severity severity = Finding::Severity::Warning;
    std::optional<Kind> kind; ///< nothing if it concerns the server itself
    PrimitiveId primitive;    ///< a token's name is masked; empty if it concerns several
    QByteArray name;          ///< the displayed name, or a pattern over several; masked as above
    QString text;             ///< translated: the message
    qint64 sinceMs = 0;       ///< since when the condition held
    qint64 firedMs = 0;
    qint64 resolvedMs = 0; ///< 0 if it is open
    qint64 acknowledgedMs = 0;
    QString acknowledgedBy;

    bool isOpen() const { return resolvedMs == 0; }
    bool operator==(const Alert&) const = default;
};
using AlertPtr = std::shared_ptr<const Alert>;

/// An alert that has fired or was resolved, as in notifications and in the recording.
struct AlertEvent
{
    enum class Type : quint8 { Fired, Resolved };
    Type type = Type::Fired;
    AlertPtr alert;
};

/// Suppresses the notifications of matching alerts for a time. Times are this machine's.
struct Silence
{
    qint64 id = 0;
    QByteArray rule;    ///< AlertRule::id(); empty for any
    QByteArray match;   ///< a glob over names; empty for any
    qint64 untilMs = 0; ///< 0: until the user ends it
    qint64 atMs = 0;
    QString by;
    QString reason;

    bool covers(const Alert& alert, qint64 nowMs) const;
    bool operator==(const Silence&) const = default;
};

/// One notification to one target. Immutable.
struct Notification
{
    enum class Type : quint8 { Fired, Resolved, Summary, Test };
    QByteArray id; ///< the same for all attempts
    QByteArray target;
    Type type = Type::Fired;
    qint64 atMs = 0;              ///< this machine's clock
    std::vector<AlertPtr> alerts; ///< in a summary: the worst first, bounded
    QByteArrayList notified;      ///< the ids of all alerts that it reports as fired
    qint64 fired = 0;             ///< in a summary: the number of all fired alerts
    qint64 resolved = 0;
};

/// The delivery status of a target.
struct TargetStatus
{
    QByteArray name;
    qint64 queued = 0; ///< not delivered yet
    qint64 lastMs = 0; ///< time of the last delivery; 0 if none
    QString problem;   ///< why the last attempt failed; empty if it succeeded
};

/// A deployment's alerts at one moment. Immutable; shared by threads.
struct Alerts
{
    static constexpr size_t mostPast = 1000;

    bool raisedHere = true;     ///< this program raises them; else another on this machine does
    std::vector<AlertPtr> open; ///< worst first, then the newest
    std::vector<AlertPtr> past; ///< the newest first; bounded
    std::vector<Silence> silences;
    std::vector<TargetStatus> targets;
    qint64 notKept = 0;           ///< number of conditions that hold beyond the limit of alerts
    std::optional<Error> problem; ///< why they cannot be kept on disk

    /// Returns the first silence that covers the alert; null if none does.
    const Silence* silenceOf(const Alert& alert, qint64 nowMs) const;
    /// The number and worst severity of open alerts that are neither acknowledged nor silenced.
    struct Count
    {
        qint64 count = 0;
        std::optional<Finding::Severity> worst;
    };
    Count unattended(qint64 nowMs) const;
};
using AlertsPtr = std::shared_ptr<const Alerts>;

/// Returns the alerts of a past moment, given by the server's clock and by this machine's. Alerts
/// that fired later are left out; those that were resolved later are open. Silences that have ended
/// since are not known.
Alerts alertsAsOf(const Alerts& alerts, qint64 serverMs, qint64 localMs);

} // namespace lk

Q_DECLARE_METATYPE(lk::AlertsPtr)
