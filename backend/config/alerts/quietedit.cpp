// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alerts/quietedit.h"

#include "backend/config/alertconfig.h"
#include "backend/config/alerts/blockedit.h"
#include "backend/config/config.h"
#include "backend/findings/findings.h"

#include <algorithm>

namespace lk {

namespace {

constexpr quint8 everyDay = 0x7f;

std::vector<BlockField> fieldsOf(const QuietHours& hours)
{
    QByteArrayList days;
    for (qsizetype day = 0; day < configDays().size(); ++day) {
        if (hours.days & (1U << day))
            days << quoted(configDays()[day].toLatin1());
    }
    return {{"from", quoted(configClock(hours.fromMinute).toLatin1())},
            {"to", quoted(configClock(hours.toMinute).toLatin1())},
            {"days", hours.days == everyDay ? QByteArray() : '[' + days.join(", ") + ']'},
            {"up_to", hours.upTo == Finding::Severity::Warning ? QByteArray()
                                                               : quoted(severityId(hours.upTo))}};
}

Result<ConfigEdit> changed(const QByteArray& toml, const QString& fileName,
                           const QuietHours& before, const std::optional<QuietHours>& wanted,
                           int place)
{
    const toml::parse_result parsed =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    const toml::array* all = parsed ? parsed.table().get_as<toml::array>("quiet") : nullptr;
    const toml::table* block = all ? (*all)[size_t(place)].as_table() : nullptr;
    if (!block || block->is_inline())
        return notWritten(fileName);
    if (wanted)
        return changedBlock(toml, fileName, *block, fieldsOf(before), fieldsOf(*wanted));
    ConfigLines lines(toml);
    const int first = int(block->source().begin.line);
    QByteArrayList removed;
    for (int line = lastLineOf(*block); line >= first; --line) {
        removed.prepend(lines.line(line));
        lines.remove(line);
    }
    return ConfigEdit{lines.text(), removed.join('\n'), first, first};
}

} // namespace

QString configClock(int minuteOfDay)
{
    return QStringLiteral("%1:%2")
        .arg(minuteOfDay / 60, 2, 10, QLatin1Char('0'))
        .arg(minuteOfDay % 60, 2, 10, QLatin1Char('0'));
}

Result<ConfigEdit> writeQuiet(const QByteArray& toml, const QString& fileName,
                              const std::optional<QuietHours>& wanted, int place)
{
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    std::vector<QuietHours> expected = before->alerts.quiet;
    const bool isNew = place < 0 || place >= int(expected.size());
    if (isNew && !wanted)
        return notWritten(fileName);
    const Result<ConfigEdit> edit =
        isNew ? Result<ConfigEdit>(appended(toml, blockOf("[[quiet]]", fieldsOf(*wanted))))
              : changed(toml, fileName, expected[size_t(place)], wanted, place);
    if (!edit)
        return edit;
    if (isNew)
        expected.push_back(*wanted);
    else if (wanted)
        expected[size_t(place)] = *wanted;
    else
        expected.erase(expected.begin() + place);
    const Result<Config> after = parseConfig(edit->text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    const auto same = [](const auto& a, const auto& b) { return a.saysTheSameAs(b); };
    const bool only = after->alerts.quiet == expected &&
                      std::ranges::equal(after->alerts.rules, before->alerts.rules, same) &&
                      after->alerts.notify == before->alerts.notify &&
                      after->alerts.targets.size() == before->alerts.targets.size() &&
                      after->declarations.size() == before->declarations.size() &&
                      after->ignored == before->ignored &&
                      after->check.silence == before->check.silence;
    return only ? edit : notWritten(fileName);
}

} // namespace lk
