// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alerts/alertedit.h"

#include "backend/config/alerts/blockedit.h"
#include "backend/config/config.h"
#include "backend/config/configlines.h"
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

// The block of the rule in that line; null if it is not written as one of [[alert]].
const toml::table* blockIn(const toml::table& root, int line)
{
    const toml::array* all = root.get_as<toml::array>("alert");
    for (size_t i = 0; all && i < all->size(); ++i) {
        const toml::table* table = (*all)[i].as_table();
        if (table && int(table->source().begin.line) == line && !table->is_inline())
            return table;
    }
    return nullptr;
}

Result<ConfigEdit> changed(const QByteArray& toml, const QString& fileName, const AlertRule& before,
                           const AlertRule& wanted)
{
    const toml::parse_result parsed =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    const toml::table* block = parsed ? blockIn(parsed.table(), before.line) : nullptr;
    return block ? changedBlock(toml, fileName, *block, fieldsOf(before), fieldsOf(wanted))
                 : Result<ConfigEdit>(notWritten(fileName));
}

bool isTheOnlyChange(const Config& before, const Config& after, const AlertRule* old,
                     const AlertRule& wanted)
{
    AlertSettings rest = before.alerts;
    AlertSettings now = after.alerts;
    if (old)
        std::erase_if(rest.rules, [&](const AlertRule& r) { return r.id() == old->id(); });
    const size_t found =
        std::erase_if(now.rules, [&](const AlertRule& r) { return r.saysTheSameAs(wanted); });
    const auto same = [](const auto& a, const auto& b) { return a.saysTheSameAs(b); };
    const bool sameRules =
        std::equal(rest.rules.begin(), rest.rules.end(), now.rules.begin(), now.rules.end(), same);
    return found == 1 && sameRules && rest.quiet == now.quiet && rest.notify == now.notify &&
           rest.targets.size() == now.targets.size() &&
           after.declarations.size() == before.declarations.size() &&
           after.ignored == before.ignored && after.check.rules == before.check.rules &&
           after.check.thresholds == before.check.thresholds &&
           after.check.silence == before.check.silence;
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
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    const std::vector<AlertRule>& rules = before->alerts.rules;
    const auto there = std::find_if(rules.begin(), rules.end(), [&](const AlertRule& rule) {
        return !insteadOf.isEmpty() && rule.id() == insteadOf;
    });
    const QByteArrayList block = blockOf("[[alert]]", fieldsOf(wanted));
    const Result<ConfigEdit> edit = there == rules.end() ? Result<ConfigEdit>(appended(toml, block))
                                                         : changed(toml, fileName, *there, wanted);
    if (!edit)
        return edit;
    const Result<Config> after = parseConfig(edit->text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    AlertRule read = wanted;
    read.builtIn = false;
    return isTheOnlyChange(*before, *after, there == rules.end() ? nullptr : &*there, read)
               ? edit
               : notWritten(fileName);
}

} // namespace lk
