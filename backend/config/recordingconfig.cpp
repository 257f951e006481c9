// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/recordingconfig.h"

#include "backend/config/blockedit.h"
#include "backend/config/tomlfields.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct RecordingConfigText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

constexpr qint64 mebibyte = 1024 * 1024;
constexpr auto tableName = "recording";
constexpr auto sizeKey = "size";

std::vector<BlockField> fieldsOf(const Retention& retention)
{
    std::vector<BlockField> fields{{sizeKey, quoted(configSize(retention.capBytes).toLatin1())}};
    for (size_t i = 0; i < recordingTierKeys.size(); ++i)
        fields.push_back(
            {recordingTierKeys[i], quoted(configDuration(retention.tiers[i].keepMs).toLatin1())});
    return fields;
}

} // namespace

QString retentionProblem(const Retention& retention)
{
    if (retention.capBytes < leastRecordingBytes || retention.capBytes > mostRecordingBytes)
        return RecordingConfigText::tr("\"size\" must be between %1 and %2")
            .arg(configSize(leastRecordingBytes), configSize(mostRecordingBytes));
    qint64 before = leastKeepMs;
    const char* beforeKey = nullptr;
    for (size_t i = 0; i < recordingTierKeys.size(); ++i) {
        const qint64 keepMs = retention.tiers[i].keepMs;
        const QString key = QLatin1String(recordingTierKeys[i]);
        if (keepMs < leastKeepMs || keepMs > mostKeepMs)
            return RecordingConfigText::tr("\"%1\" must be between %2 and %3")
                .arg(key, configDuration(leastKeepMs), configDuration(mostKeepMs));
        if (keepMs < before)
            return RecordingConfigText::tr(
                       "\"%1\" (%2) must not be shorter than \"%3\" (%4), which is finer")
                .arg(key, configDuration(keepMs), QLatin1String(beforeKey), configDuration(before));
        before = keepMs;
        beforeKey = recordingTierKeys[i];
    }
    return {};
}

tl::expected<Retention, ConfigRefusal> readRecording(const toml::node& node)
{
    const toml::table* table = node.as_table();
    if (!table)
        return tl::unexpected(ConfigRefusal{
            node.source(), RecordingConfigText::tr("\"recording\" is written as [recording]")});
    QStringList known{QLatin1String(sizeKey)};
    for (const char* key : recordingTierKeys)
        known << QLatin1String(key);
    TomlFields fields(*table, known);
    Retention retention;
    retention.capBytes = fields.bytes(sizeKey, retention.capBytes);
    const char* given = sizeKey; // the last one that is there
    for (size_t i = 0; i < recordingTierKeys.size(); ++i) {
        RecordingTier& tier = retention.tiers[i];
        const bool isGiven = fields.has(recordingTierKeys[i]);
        const qint64 finerMs = i == 0 ? 0 : retention.tiers[i - 1].keepMs;
        // A missing tier follows a finer one that is kept longer.
        tier.keepMs = isGiven ? fields.durationMs(recordingTierKeys[i], tier.keepMs)
                              : std::max(tier.keepMs, finerMs);
        if (isGiven)
            given = recordingTierKeys[i];
    }
    if (const QString problem = retentionProblem(retention); !problem.isEmpty())
        fields.refuse(given, problem);
    return fields.checked(retention);
}

Result<ConfigEdit> writeRecording(const QByteArray& toml, const QString& fileName,
                                  const Retention& wanted)
{
    return checkedEdit(toml, fileName, [&](Config& config) {
        const Retention before = std::exchange(config.recording, wanted);
        qint64& cap = config.recording.capBytes;
        cap = (cap + mebibyte - 1) / mebibyte * mebibyte; // as configSize() writes it
        std::vector<BlockField> now = fieldsOf(wanted);
        if (containsTable(toml, tableName)) {
            const auto find = [](const toml::table& root) {
                return root.get_as<toml::table>(std::string_view(tableName));
            };
            return changedBlock(toml, fileName, find, fieldsOf(before), now);
        }
        const std::vector<BlockField> usual = fieldsOf(Retention());
        for (size_t i = 0; i < now.size(); ++i) {
            if (now[i].value == usual[i].value)
                now[i].value.clear();
        }
        return Result<ConfigEdit>(appended(toml, blockOf("[recording]", now)));
    });
}

QString configSize(qint64 bytes)
{
    const qint64 mebibytes = (bytes + mebibyte - 1) / mebibyte;
    if (mebibytes > 0 && mebibytes % (1024 * 1024) == 0)
        return QStringLiteral("%1TB").arg(mebibytes / 1024 / 1024);
    if (mebibytes > 0 && mebibytes % 1024 == 0)
        return QStringLiteral("%1GB").arg(mebibytes / 1024);
    return QStringLiteral("%1MB").arg(mebibytes);
}

} // namespace lk
