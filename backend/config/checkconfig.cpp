// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/checkconfig.h"

#include "backend/config/configwords.h"
#include "backend/config/tomlfields.h"
#include "backend/findings/findings.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct CheckConfigText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

enum class Shape : quint8 { Duration, Size, Count };

struct Threshold
{
    const char* name;
    Shape shape;
    qint64 CheckThresholds::*value;
};

// Every key of [check.thresholds].
constexpr std::array thresholds{
    Threshold{"token_ttl", Shape::Duration, &CheckThresholds::tokenTtlMs},
    Threshold{"lock_lease", Shape::Duration, &CheckThresholds::lockLeaseMs},
    Threshold{"retry_horizon", Shape::Duration, &CheckThresholds::retryHorizonMs},
    Threshold{"stuck_after", Shape::Duration, &CheckThresholds::stuckAfterMs},
    Threshold{"clock_skew", Shape::Duration, &CheckThresholds::clockSkewMs},
    Threshold{"idle_after", Shape::Duration, &CheckThresholds::idleAfterMs},
    Threshold{"big_key", Shape::Size, &CheckThresholds::bigKeyBytes},
    Threshold{"code_bits", Shape::Count, &CheckThresholds::codeBits},
    Threshold{"backlog", Shape::Count, &CheckThresholds::backlog},
    Threshold{"wake_ups", Shape::Count, &CheckThresholds::wakeUps},
};

tl::unexpected<ConfigRefusal> checkConfigRefuse(const toml::source_region& at, QString what)
{
    return tl::unexpected(ConfigRefusal{at, std::move(what)});
}

// "10MB", as Redis writes sizes: 1024 to the next.
std::optional<qint64> sizeOf(const QString& text)
{
    constexpr std::array<std::pair<const char*, int>, 5> units{
        {{"KB", 10}, {"MB", 20}, {"GB", 30}, {"TB", 40}, {"B", 0}}};
    for (const auto& [unit, shift] : units) {
        if (!text.endsWith(QLatin1String(unit), Qt::CaseInsensitive))
            continue;
        bool isNumber = false;
        const QString digits = text.chopped(qsizetype(qstrlen(unit))).trimmed();
        const qint64 number = digits.toLongLong(&isNumber);
        if (!isNumber || number <= 0 || number > (qint64(1) << (62 - shift)))
            return std::nullopt;
        return number << shift;
    }
    return std::nullopt;
}

tl::expected<qint64, ConfigRefusal> readValue(const Threshold& threshold, const toml::node& node)
{
    const QString name = quotedWord(threshold.name);
    if (threshold.shape == Shape::Count) {
        const toml::value<int64_t>* number = node.as_integer();
        if (!number || number->get() <= 0)
            return checkConfigRefuse(
                node.source(),
                CheckConfigText::tr("%1 must be a whole number above zero, such as 40").arg(name));
        return number->get();
    }
    const toml::value<std::string>* text = node.as_string();
    const QString given = text ? QString::fromStdString(text->get()) : QString();
    if (threshold.shape == Shape::Size) {
        const std::optional<qint64> size = sizeOf(given);
        if (!size)
            return checkConfigRefuse(
                node.source(), CheckConfigText::tr("%1 must be a size in quotes, such as \"500KB\" "
                                                   "or \"10MB\"")
                                   .arg(name));
        return *size;
    }
    if (!text)
        return checkConfigRefuse(
            node.source(), CheckConfigText::tr("%1 must be a duration in quotes, such as \"10s\", "
                                               "\"10m\", \"24h\" or \"30d\"")
                               .arg(name));
    const Result<qint64> ms = parseDuration(given);
    if (!ms)
        return checkConfigRefuse(node.source(), QString::fromLatin1(threshold.name) +
                                                    QStringLiteral(": ") + ms.error().detail);
    return *ms;
}

std::optional<ConfigRefusal> readThresholds(const toml::node& node, CheckThresholds& target)
{
    const toml::table* table = node.as_table();
    if (!table)
        return ConfigRefusal{
            node.source(), CheckConfigText::tr("\"thresholds\" is written as [check.thresholds]")};
    for (const auto& [name, value] : *table) {
        const std::string_view given = name;
        const auto known = std::find_if(thresholds.begin(), thresholds.end(),
                                        [&](const Threshold& t) { return given == t.name; });
        if (known == thresholds.end()) {
            QStringList names;
            for (const Threshold& t : thresholds)
                names << QString::fromLatin1(t.name);
            return ConfigRefusal{name.source(),
                                 CheckConfigText::tr("unknown threshold %1; %2")
                                     .arg(quotedWord(given), proposal(given, names))};
        }
        const auto number = readValue(*known, value);
        if (!number)
            return number.error();
        target.*(known->value) = *number;
    }
    return std::nullopt;
}

std::optional<ConfigRefusal> problemWithCode(const std::string& code, const toml::source_region& at)
{
    QStringList codes;
    for (const KnownFinding& known : knownFindings())
        codes << QString::fromLatin1(known.code);
    if (codes.contains(QString::fromStdString(code)))
        return std::nullopt;
    return ConfigRefusal{
        at,
        CheckConfigText::tr("unknown code %1; %2").arg(quotedWord(code), proposal(code, codes))};
}

std::optional<ConfigRefusal> readSilence(const toml::node& node, QByteArrayList& target)
{
    const toml::array* array = node.as_array();
    if (!array || (!array->empty() && !array->is_homogeneous(toml::node_type::string)))
        return ConfigRefusal{node.source(),
                             CheckConfigText::tr("\"silence\" must be a list of codes, such as "
                                                 "[\"lock-expired\"]")};
    for (const toml::node& entry : *array) {
        const std::string& code = entry.as_string()->get();
        if (auto refusal = problemWithCode(code, entry.source()))
            return refusal;
        target << QByteArray::fromStdString(code);
    }
    return std::nullopt;
}

} // namespace

tl::expected<CheckSettings, ConfigRefusal> readCheck(const toml::node& node)
{
    const toml::table* table = node.as_table();
    if (!table)
        return checkConfigRefuse(node.source(),
                                 CheckConfigText::tr("\"check\" is written as [check], once"));
    CheckSettings settings;
    for (const auto& [name, value] : *table) {
        std::optional<ConfigRefusal> refusal;
        if (name == "silence")
            refusal = readSilence(value, settings.silence);
        else if (name == "thresholds")
            refusal = readThresholds(value, settings.thresholds);
        else
            refusal = ConfigRefusal{
                name.source(),
                CheckConfigText::tr("unknown key %1; %2")
                    .arg(quotedWord(name), proposal(name, {QStringLiteral("silence"),
                                                           QStringLiteral("thresholds")}))};
        if (refusal)
            return tl::unexpected(*refusal);
    }
    return settings;
}

tl::expected<std::vector<SilenceRule>, ConfigRefusal> readSilences(const toml::node& node)
{
    const TomlTables tables = tomlTables(node, "silence");
    if (!tables)
        return tl::unexpected(tables.error());
    std::vector<SilenceRule> rules;
    for (const toml::node& entry : **tables) {
        TomlFields fields(*entry.as_table(), {QStringLiteral("code"), QStringLiteral("match")});
        fields.require("code", QStringLiteral("code = \"lock-expired\""));
        const SilenceRule rule{fields.text("code"), fields.text("match")};
        if (fields.refusal())
            return tl::unexpected(*fields.refusal());
        if (auto refusal = problemWithCode(rule.code.toStdString(), fields.at("code")))
            return tl::unexpected(*refusal);
        rules.push_back(rule);
    }
    return rules;
}

tl::expected<QByteArrayList, ConfigRefusal> readIgnored(const toml::node& node)
{
    const TomlTables tables = tomlTables(node, "ignore");
    if (!tables)
        return tl::unexpected(tables.error());
    QByteArrayList patterns;
    for (const toml::node& entry : **tables) {
        TomlFields fields(*entry.as_table(), {QStringLiteral("key")});
        fields.require("key", QStringLiteral("key = \"a name or a pattern\""));
        patterns << fields.text("key");
        if (fields.refusal())
            return tl::unexpected(*fields.refusal());
    }
    return patterns;
}

} // namespace lk
