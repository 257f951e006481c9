// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/recordingconfig.h"

#include "backend/config/config.h"
#include "backend/config/configlines.h"
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

struct Field
{
    const char* name;
    QByteArray value; ///< as written in the file
};

std::vector<Field> fieldsOf(const Retention& retention)
{
    std::vector<Field> fields{{sizeKey, quoted(configSize(retention.capBytes).toLatin1())}};
    for (size_t i = 0; i < recordingTierKeys.size(); ++i)
        fields.push_back(
            {recordingTierKeys[i], quoted(configDuration(retention.tiers[i].keepMs).toLatin1())});
    return fields;
}

bool saysTheSame(const Config& a, const Config& b)
{
    const auto sameDeclarations = [](const DeclarationPtr& x, const DeclarationPtr& y) {
        return x->kind == y->kind && x->pattern == y->pattern && x->layout == y->layout;
    };
    return std::equal(a.declarations.begin(), a.declarations.end(), b.declarations.begin(),
                      b.declarations.end(), sameDeclarations) &&
           a.ignored == b.ignored && a.check.rules == b.check.rules &&
           a.check.thresholds == b.check.thresholds && a.check.silence == b.check.silence &&
           a.alerts.rules.size() == b.alerts.rules.size() &&
           a.alerts.targets.size() == b.alerts.targets.size() && a.alerts.quiet == b.alerts.quiet;
}

Result<ConfigEdit> changed(const QByteArray& toml, const QString& fileName, const Retention& before,
                           const Retention& wanted)
{
    const toml::parse_result parsed =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    const toml::table* block =
        parsed ? parsed.table().get_as<toml::table>(std::string_view(tableName)) : nullptr;
    if (!block || block->is_inline())
        return notWritten(fileName);
    ConfigLines lines(toml);
    const std::vector<Field> old = fieldsOf(before);
    const std::vector<Field> now = fieldsOf(wanted);
    const int first = int(block->source().begin.line);
    int after = lastLineOf(*block);
    for (size_t i = 0; i < now.size(); ++i) {
        if (now[i].value == old[i].value)
            continue;
        const toml::node* node = block->get(now[i].name);
        if (node && node->source().begin.line != node->source().end.line)
            return notWritten(fileName);
        if (node)
            lines.replace(node->source(), now[i].value);
        else
            lines.insertAfter(after++, QByteArray(now[i].name) + " = " + now[i].value);
    }
    QByteArrayList written;
    for (int line = first; line <= after; ++line)
        written << lines.line(line);
    return ConfigEdit{lines.text(), written.join('\n'), first, after};
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
    if (fields.refusal())
        return tl::unexpected(*fields.refusal());
    return retention;
}

Result<ConfigEdit> writeRecording(const QByteArray& toml, const QString& fileName,
                                  const Retention& wanted)
{
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    const toml::parse_result parsed =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    const bool there = parsed && parsed.table().contains(tableName);
    QByteArrayList block{"[recording]"};
    const std::vector<Field> usual = fieldsOf(Retention());
    const std::vector<Field> now = fieldsOf(wanted);
    for (size_t i = 0; i < now.size(); ++i) {
        if (now[i].value != usual[i].value)
            block << QByteArray(now[i].name) + " = " + now[i].value;
    }
    const Result<ConfigEdit> edit = there ? changed(toml, fileName, before->recording, wanted)
                                          : Result<ConfigEdit>(appended(toml, block));
    if (!edit)
        return edit;
    const Result<Config> after = parseConfig(edit->text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    const std::vector<Field> read = fieldsOf(after->recording);
    const bool good = std::equal(read.begin(), read.end(), now.begin(),
                                 [](const Field& a, const Field& b) { return a.value == b.value; });
    return good && saysTheSame(*before, *after) ? edit : notWritten(fileName);
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
