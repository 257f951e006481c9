// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/checkconfig.h"

#include "backend/config/configwords.h"
#include "backend/findings/findings.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <map>

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

// The texts of one [[table]] by their keys, which are all known.
tl::expected<std::map<std::string, const toml::value<std::string>*>, ConfigRefusal>
textsOf(const toml::node& node, const QStringList& known)
{
    std::map<std::string, const toml::value<std::string>*> texts;
    for (const auto& [name, value] : *node.as_table()) {
        const std::string_view given = name;
        if (!known.contains(QString::fromUtf8(given.data(), qsizetype(given.size()))))
            return checkConfigRefuse(name.source(),
                                     CheckConfigText::tr("unknown key %1; %2")
                                         .arg(quotedWord(given), proposal(given, known)));
        const toml::value<std::string>* text = value.as_string();
        if (!text || text->get().empty())
            return checkConfigRefuse(
                value.source(),
                CheckConfigText::tr("%1 must be a string in quotes").arg(quotedWord(given)));
        texts.emplace(given, text);
    }
    const std::string first = known.front().toStdString();
    if (!texts.contains(first))
        return checkConfigRefuse(node.source(),
                                 CheckConfigText::tr("%1 is missing").arg(quotedWord(first)));
    return texts;
}

// Null if it is not written as [[name]].
const toml::array* checkTablesOf(const toml::node& node)
{
    const toml::array* array = node.as_array();
    return array && array->is_homogeneous(toml::node_type::table) ? array : nullptr;
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
    const toml::array* array = checkTablesOf(node);
    if (!array)
        return checkConfigRefuse(
            node.source(),
            CheckConfigText::tr("\"silence\" is written as [[silence]], once for each"));
    std::vector<SilenceRule> rules;
    for (const toml::node& entry : *array) {
        const auto texts = textsOf(entry, {QStringLiteral("code"), QStringLiteral("match")});
        if (!texts)
            return tl::unexpected(texts.error());
        const toml::value<std::string>* code = texts->at("code");
        if (auto refusal = problemWithCode(code->get(), code->source()))
            return tl::unexpected(*refusal);
        SilenceRule rule{QByteArray::fromStdString(code->get()), {}};
        if (const auto match = texts->find("match"); match != texts->end())
            rule.match = QByteArray::fromStdString(match->second->get());
        rules.push_back(rule);
    }
    return rules;
}

tl::expected<QByteArrayList, ConfigRefusal> readIgnored(const toml::node& node)
{
    const toml::array* array = checkTablesOf(node);
    if (!array)
        return checkConfigRefuse(
            node.source(), CheckConfigText::tr("\"ignore\" is written as [[ignore]], once for each "
                                               "key or pattern"));
    QByteArrayList patterns;
    for (const toml::node& entry : *array) {
        const auto texts = textsOf(entry, {QStringLiteral("key")});
        if (!texts)
            return tl::unexpected(texts.error());
        patterns << QByteArray::fromStdString(texts->at("key")->get());
    }
    return patterns;
}

} // namespace lk
