// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/snapshot.h"

#include <QByteArrayList>
#include <QMetaType>

namespace lk {

/// One time that a rule's condition held for long enough. Times are milliseconds of the server's
/// clock. Immutable; threads share it. Holds no token's code.
struct Alert
{
    QByteArray id;   ///< of this one time: the same in every notification of it
    QByteArray rule; ///< AlertRule::id()
    Finding::Severity severity = Finding::Severity::Warning;
    std::optional<Kind> kind; ///< nothing: it concerns the server itself
    PrimitiveId primitive;    ///< a token's name masked; empty where it concerns several
    QByteArray name;          ///< what people call it, or a pattern over several; masked as above
    QString text;             ///< translated: what was seen
    qint64 sinceMs = 0;       ///< from when on the condition held
    qint64 firedMs = 0;
    qint64 resolvedMs = 0; ///< 0: it is open
    qint64 acknowledgedMs = 0;
    QString acknowledgedBy;

    bool isOpen() const { return resolvedMs == 0; }
    bool operator==(const Alert&) const = default;
};
using AlertPtr = std::shared_ptr<const Alert>;

/// An alert that has begun or ended, as it is notified and recorded.
struct AlertEvent
{
    enum class Type : quint8 { Fired, Resolved };
    Type type = Type::Fired;
    AlertPtr alert;
};

/// Which alerts send no notifications, and until when. Times are this machine's.
struct Silence
{
    qint64 id = 0;
    QByteArray rule;    ///< AlertRule::id(); empty: any
    QByteArray match;   ///< a glob over names; empty: any
    qint64 untilMs = 0; ///< 0: until it is ended
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
    QByteArray id; ///< the same at each attempt
    QByteArray target;
    Type type = Type::Fired;
    qint64 atMs = 0;              ///< this machine's clock
    std::vector<AlertPtr> alerts; ///< of a summary the worst first, bounded
    QByteArrayList notified;      ///< ids of all that it reports as fired
    qint64 fired = 0;             ///< of a summary, all of them
    qint64 resolved = 0;
};

/// How a target is doing.
struct TargetStatus
{
    QByteArray name;
    qint64 queued = 0; ///< not delivered yet
    qint64 lastMs = 0; ///< when something was delivered; 0: nothing was
    QString problem;   ///< why the last attempt failed; empty: it did not
};

/// All that is known of a deployment's alerts at a moment. Immutable; threads share it.
struct Alerts
{
    static constexpr size_t mostPast = 1000;

    bool raisedHere = true;     ///< this program raises them; else another one on this machine
    std::vector<AlertPtr> open; ///< worst first, then the newest
    std::vector<AlertPtr> past; ///< the newest first; bounded
    std::vector<Silence> silences;
    std::vector<TargetStatus> targets;
    qint64 notKept = 0;           ///< conditions that hold and are too many to be kept as alerts
    std::optional<Error> problem; ///< they cannot be kept on disk: why

    /// The first silence that covers it; null: none does.
    const Silence* silenceOf(const Alert& alert, qint64 nowMs) const;
    /// Open ones that are neither acknowledged nor silenced, with the worst of them.
    struct Count
    {
        qint64 count = 0;
        std::optional<Finding::Severity> worst;
    };
    Count unattended(qint64 nowMs) const;
};
using AlertsPtr = std::shared_ptr<const Alerts>;

/// As they stood at a moment, by the server's clock and by this machine's: what fired later is not
/// among them, what was resolved later is open. Silences that have ended since are not known.
Alerts alertsAsOf(const Alerts& alerts, qint64 serverMs, qint64 localMs);

} // namespace lk

Q_DECLARE_METATYPE(lk::AlertsPtr)
