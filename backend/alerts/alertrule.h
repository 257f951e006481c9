// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QByteArrayList>
#include <QStringList>
#include <QUrl>

#include <variant>

namespace lk {

/// Holds while a finding of that code exists: "queue-stuck".
struct FindingCondition
{
    QByteArray code;

    bool operator==(const FindingCondition&) const = default;
};

enum class Comparison : quint8 { Above, AtLeast, Below, AtMost };

/// Compares a metric of a kind with a number: "queue.ready > 1000". Durations are milliseconds.
struct MetricCondition
{
    std::optional<Kind> kind; ///< nothing for the server itself
    QByteArray metric;        ///< the name in the layouts' descriptors, or the id of an OwnMetric
    Comparison comparison = Comparison::Above;
    double bound = 0;
    qint64 withinMs = 0; ///< compares the change in that time; 0: the number itself

    bool operator==(const MetricCondition&) const = default;
};

using AlertCondition = std::variant<FindingCondition, MetricCondition>;

/// One [[alert]] of a configuration file, or a built-in rule.
struct AlertRule
{
    QByteArray when; ///< the condition as written
    AlertCondition condition;
    QByteArray match; ///< a glob over names; empty for any
    qint64 forMs = 0; ///< how long it holds before it fires, and is clear before it resolves
    std::optional<double> resolve; ///< for a metric: the number from which on it is clear
    Finding::Severity severity = Finding::Severity::Warning;
    std::optional<QByteArrayList> notify; ///< names of targets; nothing: see AlertSettings::notify
    bool off = false;                     ///< turned off by the operator
    bool builtIn = false;
    int line = 0; ///< in the file, counted from 1

    /// Returns the rule's unique id: "queue-stuck", "queue.ready > 1000 @ mail:*".
    QByteArray id() const { return match.isEmpty() ? when : when + " @ " + match; }
    bool operator==(const AlertRule&) const = default;
    /// Compares without the line in the file.
    bool saysTheSameAs(AlertRule other) const
    {
        other.line = line;
        return *this == other;
    }
};

/// One [[quiet]]: hours without notifications of lesser severity. Local time.
struct QuietHours
{
    quint8 days = 0x7f; ///< the days on which it begins; bit 0: Monday
    int fromMinute = 0; ///< minute of the day
    int toMinute = 0;   ///< minute of that day, or of the next day if it is not after fromMinute
    Finding::Severity upTo =
        Finding::Severity::Warning; ///< alerts of higher severity are sent anyway

    bool operator==(const QuietHours&) const = default;
};

/// One [notify.NAME]: a webhook or a command.
struct NotifyTarget
{
    QByteArray name;
    QUrl webhook;         ///< https; or http to this machine itself
    QByteArray secretEnv; ///< the environment variable with the key that signs the body
    QString caFile;       ///< PEM; empty for the system's authorities
    QStringList command;  ///< the program and its arguments; empty for a webhook
    qint64 timeoutMs = 10'000;
    bool once = false; ///< as for a command: a webhook without an answer is not sent again
    int line = 0;

    bool operator==(const NotifyTarget&) const = default;
};

/// The name of the built-in target: the desktop's notifications.
inline constexpr auto desktopTarget = "desktop";

/// The alert settings of a configuration file. A value.
struct AlertSettings
{
    std::vector<AlertRule> rules; ///< in the file's order
    std::vector<QuietHours> quiet;
    std::vector<NotifyTarget> targets;
    QByteArrayList notify{QByteArray(desktopTarget)}; ///< for rules that name none
    bool builtIn = true;                              ///< the built-in rules are in force

    bool operator==(const AlertSettings&) const = default;
};

/// Returns the built-in rules: stuck jobs, a lock held over its usual time, a limiter that is
/// always full, a queue without a listening client, dead messages that grow, a node that is lost, a
/// token that is used again.
const std::vector<AlertRule>& builtInRules();
/// Returns the rules in force: those of the file, and the built-in ones whose condition is in no
/// rule of the file.
std::vector<AlertRule> rulesInForce(const AlertSettings& settings);
/// Returns the targets of a rule, each once.
QByteArrayList targetsOf(const AlertRule& rule, const AlertSettings& settings);

} // namespace lk
