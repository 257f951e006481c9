// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alertconfig.h"

#include "backend/alerts/rules/condition.h"
#include "backend/config/tomlfields.h"
#include "backend/text/proposal.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct AlertConfigText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

using Refused = tl::unexpected<ConfigRefusal>;

const QStringList& severities()
{
    static const QStringList words{QStringLiteral("info"), QStringLiteral("warning"),
                                   QStringLiteral("error")};
    return words;
}

QString nameOf(const QByteArray& name)
{
    return quotedWord({name.constData(), size_t(name.size())});
}

tl::expected<AlertRule, ConfigRefusal> readRule(const toml::table& table)
{
    TomlFields fields(table,
                      {QStringLiteral("when"), QStringLiteral("match"), QStringLiteral("for"),
                       QStringLiteral("resolve"), QStringLiteral("severity"),
                       QStringLiteral("notify"), QStringLiteral("off")});
    AlertRule rule;
    rule.line = int(table.source().begin.line);
    fields.require("when", QStringLiteral("when = \"queue-stuck\""));
    rule.when = fields.text("when").trimmed();
    if (fields.refusal())
        return Refused(*fields.refusal());
    auto condition = parseCondition(rule.when);
    if (!condition)
        return Refused(ConfigRefusal{fields.at("when"), condition.error()});
    rule.condition = std::move(*condition);
    rule.match = fields.text("match");
    rule.forMs = fields.durationMs("for", 0);
    rule.resolve = fields.number("resolve");
    if (const int severity = fields.word("severity", severities()); severity >= 0)
        rule.severity = Finding::Severity(severity);
    if (fields.has("notify"))
        rule.notify = fields.texts("notify");
    rule.off = fields.flag("off", false);
    const auto* metric = std::get_if<MetricCondition>(&rule.condition);
    if (rule.resolve && !metric)
        fields.refuse("resolve", AlertConfigText::tr(
                                     "\"resolve\" needs a metric, such as \"queue.ready > 1000\""));
    else if (rule.resolve && holds(*metric, *rule.resolve))
        fields.refuse("resolve",
                      AlertConfigText::tr(
                          "\"resolve\" must be a number at which the condition does not hold"));
    return fields.checked(std::move(rule));
}

tl::expected<QuietHours, ConfigRefusal> readQuiet(const toml::table& table)
{
    TomlFields fields(table, {QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("days"),
                              QStringLiteral("up_to")});
    QuietHours hours;
    fields.require("from", QStringLiteral("from = \"22:00\""));
    fields.require("to", QStringLiteral("to = \"07:00\""));
    hours.fromMinute = fields.minuteOfDay("from");
    hours.toMinute = fields.minuteOfDay("to");
    if (fields.has("days")) {
        hours.days = 0;
        for (const QByteArray& day : fields.texts("days")) {
            const auto place = configDays().indexOf(QString::fromUtf8(day));
            if (place < 0)
                fields.refuse("days",
                              AlertConfigText::tr("unknown day %1; %2")
                                  .arg(nameOf(day), proposal(day.toStdString(), configDays())));
            else
                hours.days = quint8(hours.days | 1U << place);
        }
    }
    if (const int severity = fields.word("up_to", severities()); severity >= 0)
        hours.upTo = Finding::Severity(severity);
    return fields.checked(hours);
}

bool isThisMachine(const QString& host)
{
    return host == QLatin1String("localhost") || host == QLatin1String("127.0.0.1") ||
           host == QLatin1String("::1");
}

void readWebhook(TomlFields& fields, NotifyTarget& target)
{
    const QByteArray text = fields.text("webhook");
    target.webhook = QUrl(QString::fromUtf8(text), QUrl::StrictMode);
    const QString scheme = target.webhook.scheme();
    const bool safe = scheme == QLatin1String("https") ||
                      (scheme == QLatin1String("http") && isThisMachine(target.webhook.host()));
    if (!target.webhook.isValid() || target.webhook.host().isEmpty() || !safe)
        fields.refuse("webhook",
                      AlertConfigText::tr("\"webhook\" must be an https:// URL; http:// only to "
                                          "this machine"));
    else if (!target.webhook.userInfo().isEmpty())
        fields.refuse("webhook",
                      AlertConfigText::tr("a password does not belong in this file; sign with "
                                          "\"secret_env\" instead"));
    target.secretEnv = fields.text("secret_env");
    target.caFile = QString::fromUtf8(fields.text("ca_file"));
    target.once = fields.flag("once", false);
}

tl::expected<NotifyTarget, ConfigRefusal> readTarget(const toml::key& name, const toml::node& node)
{
    const toml::table* table = node.as_table();
    if (!table)
        return Refused(
            {node.source(), AlertConfigText::tr("\"notify\" is written as [notify.NAME]")});
    TomlFields fields(*table, {QStringLiteral("webhook"), QStringLiteral("command"),
                               QStringLiteral("secret_env"), QStringLiteral("ca_file"),
                               QStringLiteral("timeout"), QStringLiteral("once")});
    NotifyTarget target;
    target.name = QByteArray::fromStdString(std::string(name.str()));
    target.line = int(name.source().begin.line);
    if (target.name == desktopTarget)
        return Refused(
            {name.source(), AlertConfigText::tr("\"desktop\" is built in; choose another name")});
    target.timeoutMs = fields.durationMs("timeout", target.timeoutMs);
    if (fields.has("webhook") == fields.has("command"))
        fields.refuse("command",
                      AlertConfigText::tr("[notify.%1] has either a \"webhook\" or a \"command\"")
                          .arg(QString::fromUtf8(target.name)));
    else if (fields.has("webhook"))
        readWebhook(fields, target);
    else {
        for (const char* key : {"secret_env", "ca_file", "once"}) {
            if (fields.has(key))
                fields.refuse(key, AlertConfigText::tr("this key is only for a \"webhook\""));
        }
        for (const QByteArray& word : fields.texts("command"))
            target.command << QString::fromUtf8(word);
        if (target.command.isEmpty() || target.command.front().isEmpty())
            fields.refuse("command",
                          AlertConfigText::tr("\"command\" must be a list: the program, then its "
                                              "arguments"));
    }
    return fields.checked(std::move(target));
}

// Returns a message for the first target name that is not declared; empty if all are.
std::optional<QString> unknownTarget(const QByteArrayList& names, const AlertSettings& settings)
{
    QStringList known{QLatin1String(desktopTarget)};
    for (const NotifyTarget& target : settings.targets)
        known << QString::fromUtf8(target.name);
    for (const QByteArray& name : names) {
        if (!known.contains(QString::fromUtf8(name)))
            return AlertConfigText::tr("unknown target %1; %2")
                .arg(nameOf(name), proposal(name.toStdString(), known));
    }
    return std::nullopt;
}

std::optional<ConfigRefusal> readTargets(const toml::node& node, AlertSettings& settings)
{
    const toml::table* table = node.as_table();
    if (!table)
        return ConfigRefusal{node.source(),
                             AlertConfigText::tr("\"notify\" is written as [notify.NAME]")};
    for (const auto& [name, value] : *table) {
        auto target = readTarget(name, value);
        if (!target)
            return target.error();
        settings.targets.push_back(std::move(*target));
    }
    return std::nullopt;
}

std::optional<ConfigRefusal> readDefaults(const toml::node& node, AlertSettings& settings)
{
    const toml::table* table = node.as_table();
    if (!table)
        return ConfigRefusal{node.source(),
                             AlertConfigText::tr("\"alerts\" is written as [alerts], once")};
    TomlFields fields(*table, {QStringLiteral("built_in"), QStringLiteral("notify")});
    settings.builtIn = fields.flag("built_in", true);
    if (fields.has("notify"))
        settings.notify = fields.texts("notify");
    if (const auto unknown = unknownTarget(settings.notify, settings))
        fields.refuse("notify", *unknown);
    return fields.refusal();
}

std::optional<ConfigRefusal> addRule(const toml::table& table, AlertSettings& settings)
{
    auto rule = readRule(table);
    if (!rule)
        return rule.error();
    const auto same = std::find_if(settings.rules.begin(), settings.rules.end(),
                                   [&](const AlertRule& r) { return r.id() == rule->id(); });
    if (same != settings.rules.end())
        return ConfigRefusal{
            table.get("when")->source(),
            AlertConfigText::tr("the same alert is already in line %1; remove one of them")
                .arg(same->line)};
    if (rule->notify) {
        if (const auto unknown = unknownTarget(*rule->notify, settings))
            return ConfigRefusal{table.get("notify")->source(), *unknown};
    }
    settings.rules.push_back(std::move(*rule));
    return std::nullopt;
}

std::optional<ConfigRefusal> readRules(const toml::node& node, AlertSettings& settings)
{
    const TomlTables tables = tomlTables(node, "alert");
    if (!tables)
        return tables.error();
    for (const toml::node& entry : **tables) {
        if (auto refusal = addRule(*entry.as_table(), settings))
            return refusal;
    }
    return std::nullopt;
}

std::optional<ConfigRefusal> readQuiets(const toml::node& node, AlertSettings& settings)
{
    const TomlTables tables = tomlTables(node, "quiet");
    if (!tables)
        return tables.error();
    for (const toml::node& entry : **tables) {
        const auto hours = readQuiet(*entry.as_table());
        if (!hours)
            return hours.error();
        settings.quiet.push_back(*hours);
    }
    return std::nullopt;
}

} // namespace

const QStringList& configDays()
{
    static const QStringList words{
        QStringLiteral("mon"), QStringLiteral("tue"), QStringLiteral("wed"), QStringLiteral("thu"),
        QStringLiteral("fri"), QStringLiteral("sat"), QStringLiteral("sun")};
    return words;
}

const QStringList& alertTableNames()
{
    static const QStringList names{QStringLiteral("alert"), QStringLiteral("alerts"),
                                   QStringLiteral("quiet"), QStringLiteral("notify")};
    return names;
}

tl::expected<AlertSettings, ConfigRefusal> readAlerts(const toml::table& root)
{
    AlertSettings settings;
    for (const auto& [name, read] :
         {std::pair("notify", &readTargets), std::pair("alerts", &readDefaults),
          std::pair("quiet", &readQuiets), std::pair("alert", &readRules)}) {
        const toml::node* node = root.get(name);
        if (!node)
            continue;
        if (auto refusal = read(*node, settings))
            return Refused(*refusal);
    }
    return settings;
}

} // namespace lk
