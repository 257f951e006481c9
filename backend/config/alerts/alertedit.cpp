// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alerts/alertedit.h"

#include "backend/config/blockedit.h"
#include "backend/findings/findings.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

std::vector<BlockField> fieldsOf(const AlertRule& rule)
{
    QByteArrayList targets;
    for (const QByteArray& target : rule.notify.value_or(QByteArrayList()))
        targets << quoted(target);
    return {
        {"when", quoted(rule.when)},
        {"match", rule.match.isEmpty() ? QByteArray() : quoted(rule.match)},
        {"for", rule.forMs == 0 ? QByteArray() : quoted(configDuration(rule.forMs).toLatin1())},
        {"resolve", rule.resolve ? configNumber(*rule.resolve) : QByteArray()},
        {"severity", rule.severity == Finding::Severity::Warning
                         ? QByteArray()
                         : quoted(severityId(rule.severity))},
        {"notify", rule.notify ? '[' + targets.join(", ") + ']' : QByteArray()},
        {"off", rule.off ? QByteArray("true") : QByteArray()},
    };
}

} // namespace

QByteArray configNumber(double number)
{
    const bool whole = std::abs(number) < 1e15 && number == std::floor(number);
    return whole ? QByteArray::number(qint64(number)) : QByteArray::number(number, 'g', 12);
}

Result<ConfigEdit> writeAlert(const QByteArray& toml, const QString& fileName,
                              const AlertRule& wanted, const QByteArray& insteadOf)
{
    return checkedEdit(toml, fileName, [&](Config& config) {
        std::vector<AlertRule>& rules = config.alerts.rules;
        const auto there = std::find_if(rules.begin(), rules.end(), [&](const AlertRule& rule) {
            return !insteadOf.isEmpty() && rule.id() == insteadOf;
        });
        AlertRule rule = wanted;
        rule.builtIn = false;
        if (there == rules.end()) {
            rules.push_back(rule);
            return Result<ConfigEdit>(appended(toml, blockOf("[[alert]]", fieldsOf(wanted))));
        }
        const AlertRule before = std::exchange(*there, rule);
        return changedBlock(toml, fileName, blockInLine("alert", before.line), fieldsOf(before),
                            fieldsOf(wanted));
    });
}

} // namespace lk
