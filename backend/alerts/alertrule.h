// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QByteArrayList>
#include <QStringList>
#include <QUrl>

#include <variant>

namespace lk {

/// A finding of that code is there: "queue-stuck".
struct FindingCondition
{
    QByteArray code;

    bool operator==(const FindingCondition&) const = default;
};

enum class Comparison : quint8 { Above, AtLeast, Below, AtMost };

/// A metric of a kind compares with a number: "queue.ready > 1000". Durations are milliseconds.
struct MetricCondition
{
    std::optional<Kind> kind; ///< nothing: of the server itself
    QByteArray metric;        ///< as the layouts' descriptors call it, or the id of an OwnMetric
    Comparison comparison = Comparison::Above;
    double bound = 0;
    qint64 withinMs = 0; ///< by how much it has changed in that time; 0: the number itself

    bool operator==(const MetricCondition&) const = default;
};

using AlertCondition = std::variant<FindingCondition, MetricCondition>;

/// One [[alert]] of a configuration file, or one of those that are there from the start.
struct AlertRule
{
    QByteArray when; ///< the condition as it was written
    AlertCondition condition;
    QByteArray match;              ///< a glob over names; empty: any
    qint64 forMs = 0;              ///< holds so long before it fires, and is clear as long after
    std::optional<double> resolve; ///< of a metric: it is clear only from this number on
    Finding::Severity severity = Finding::Severity::Warning;
    std::optional<QByteArrayList> notify; ///< names of targets; nothing: as AlertSettings::notify
    bool off = false;                     ///< the operator does not want it
    bool builtIn = false;
    int line = 0; ///< in the file, counted from 1

    /// Tells a rule from every other: "queue-stuck", "queue.ready > 1000 @ mail:*".
    QByteArray id() const { return match.isEmpty() ? when : when + " @ " + match; }
    bool operator==(const AlertRule&) const = default;
    /// Wherever in the file they stand.
    bool saysTheSameAs(AlertRule other) const
    {
        other.line = line;
        return *this == other;
    }
};

/// One [[quiet]]: when nobody wants to be called for what can wait. Local time.
struct QuietHours
{
    quint8 days = 0x7f; ///< bit 0: Monday; those on which it begins
    int fromMinute = 0; ///< of the day
    int toMinute = 0;   ///< of that day, or of the next one where it is not after fromMinute
    Finding::Severity upTo =
        Finding::Severity::Warning; ///< what is more severe is sent all the same

    bool operator==(const QuietHours&) const = default;
};

/// One [notify.NAME]: a webhook or a command.
struct NotifyTarget
{
    QByteArray name;
    QUrl webhook;         ///< https; or http to this machine itself
    QByteArray secretEnv; ///< the environment variable that has what the body is signed with
    QString caFile;       ///< PEM; empty: the system's authorities
    QStringList command;  ///< the program and its arguments; empty: it is a webhook
    qint64 timeoutMs = 10'000;
    bool once = false; ///< a webhook whose answer was not seen is not sent again, as a command
    int line = 0;

    bool operator==(const NotifyTarget&) const = default;
};

/// The name of the target that is there without being declared: the desktop's notifications.
inline constexpr auto desktopTarget = "desktop";

/// All that a configuration file says of alerts. A value.
struct AlertSettings
{
    std::vector<AlertRule> rules; ///< in the file's order
    std::vector<QuietHours> quiet;
    std::vector<NotifyTarget> targets;
    QByteArrayList notify{QByteArray(desktopTarget)}; ///< of rules that name none
    bool builtIn = true; ///< the rules that are there from the start are in force

    bool operator==(const AlertSettings&) const = default;
};

/// The rules that are there from the start: stuck jobs, a lock held over its usual time, a limiter
/// that is always full, a queue that nobody listens to, dead messages that grow, a node that is
/// lost, a token that is used again.
const std::vector<AlertRule>& builtInRules();
/// All that are in force: those of the file, and of the built-in ones those whose condition no rule
/// of the file has.
std::vector<AlertRule> rulesInForce(const AlertSettings& settings);
/// The targets of a rule, each once.
QByteArrayList targetsOf(const AlertRule& rule, const AlertSettings& settings);

} // namespace lk
