// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alerts/quietedit.h"

#include "backend/config/alertconfig.h"
#include "backend/config/blockedit.h"
#include "backend/findings/findings.h"

#include <utility>

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

FindBlock blockAt(int place)
{
    return [place](const toml::table& root) -> const toml::table* {
        const toml::array* all = root.get_as<toml::array>("quiet");
        return all ? (*all)[size_t(place)].as_table() : nullptr;
    };
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
    return checkedEdit(toml, fileName, [&](Config& config) -> Result<ConfigEdit> {
        std::vector<QuietHours>& all = config.alerts.quiet;
        const bool isNew = place < 0 || place >= int(all.size());
        if (isNew && !wanted)
            return notWritten(fileName);
        if (isNew) {
            all.push_back(*wanted);
            return appended(toml, blockOf("[[quiet]]", fieldsOf(*wanted)));
        }
        if (!wanted) {
            all.erase(all.begin() + place);
            return removedBlock(toml, fileName, blockAt(place));
        }
        const QuietHours before = std::exchange(all[size_t(place)], *wanted);
        return changedBlock(toml, fileName, blockAt(place), fieldsOf(before), fieldsOf(*wanted));
    });
}

} // namespace lk
