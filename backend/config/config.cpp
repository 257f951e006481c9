// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/config.h"

#include "backend/config/alertconfig.h"
#include "backend/config/checkconfig.h"
#include "backend/config/configwords.h"
#include "backend/config/recordingconfig.h"
#include "backend/config/redlockconfig.h"
#include "backend/core/names/foreigntext.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace lk {

namespace {

struct ConfigText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

constexpr qint64 largestFile = 1024 * 1024;

// Reads one file; stops at the first mistake.
class Reader
{
public:
    explicit Reader(QString fileName)
        : m_fileName(std::move(fileName))
    {}

    Result<Config> read(const toml::table& root);
    tl::unexpected<Error> refuse(const toml::source_region& at, const QString& what) const
    {
        return failure(ErrorCode::BadConfig, QStringLiteral("%1:%2: %3")
                                                 .arg(foreignText(m_fileName))
                                                 .arg(at.begin.line)
                                                 .arg(foreignText(what)));
    }

private:
    std::optional<Error> readDeclarations(const toml::key& name, const toml::node& node,
                                          Config& config) const;
    Result<Declaration> readTable(Kind kind, const toml::table& table) const;
    Result<QByteArray> readText(const toml::node& node, std::string_view name) const;
    Result<const Layout*> readLayout(Kind kind, const toml::table& table) const;
    Result<qint64> readNumber(const Layout& layout, const ConfigField& field,
                              const toml::node& node) const;
    std::optional<Error> readField(Declaration& d, const Layout& layout, std::string_view name,
                                   const toml::node& node) const;
    std::optional<Error> checkWhole(const Config& config, const Declaration& d,
                                    const toml::table& table) const;

    QString m_fileName;
};

Result<Config> Reader::read(const toml::table& root)
{
    Config config;
    auto alerts = readAlerts(root);
    if (!alerts)
        return refuse(alerts.error().at, alerts.error().what);
    config.alerts = std::move(*alerts);
    for (const auto& [name, node] : root) {
        std::optional<ConfigRefusal> refusal;
        const auto take = [&refusal](auto read, auto& target) {
            if (read)
                target = std::move(*read);
            else
                refusal = std::move(read.error());
        };
        const std::string_view table = name;
        if (name == "check") {
            // [[silence]] may have been read before; keep its rules.
            std::vector<SilenceRule> rules = std::move(config.check.rules);
            take(readCheck(node), config.check);
            config.check.rules = std::move(rules);
        } else if (name == "silence") {
            take(readSilences(node), config.check.rules);
        } else if (name == "ignore") {
            take(readIgnored(node), config.ignored);
        } else if (name == "recording") {
            take(readRecording(node), config.recording);
        } else if (name == "redlock") {
            take(readRedlocks(node), config.redlocks);
        } else if (!alertTableNames().contains(
                       QString::fromUtf8(table.data(), qsizetype(table.size())))) {
            if (const std::optional<Error> error = readDeclarations(name, node, config))
                return tl::unexpected(*error);
        }
        if (refusal)
            return refuse(refusal->at, refusal->what);
    }
    // The parser's table is in the order of its keys; people count in the order of the file.
    std::stable_sort(
        config.declarations.begin(), config.declarations.end(),
        [](const DeclarationPtr& a, const DeclarationPtr& b) { return a->line < b->line; });
    return config;
}

std::optional<Error> Reader::readDeclarations(const toml::key& name, const toml::node& node,
                                              Config& config) const
{
    const std::optional<Kind> kind = configTableKind(name);
    if (!kind)
        return refuse(name.source(), ConfigText::tr("unknown table %1; %2")
                                         .arg(quotedWord(name), proposal(name, configTableNames())))
            .value();
    const toml::array* array = node.as_array();
    if (!array || !array->is_homogeneous(toml::node_type::table))
        return refuse(node.source(), ConfigText::tr("%1 is written as [[%2]], once for each key or "
                                                    "pattern")
                                         .arg(quotedWord(name), QString::fromLatin1(kindId(*kind))))
            .value();
    for (const toml::node& entry : *array) {
        Result<Declaration> d = readTable(*kind, *entry.as_table());
        if (!d)
            return d.error();
        if (const std::optional<Error> error = checkWhole(config, *d, *entry.as_table()))
            return error;
        config.declarations.push_back(std::make_shared<Declaration>(std::move(*d)));
    }
    return std::nullopt;
}

Result<Declaration> Reader::readTable(Kind kind, const toml::table& table) const
{
    Declaration d;
    d.kind = kind;
    d.line = int(table.source().begin.line);
    // Before anything is missed: a misspelt key is the likelier mistake.
    for (const auto& [name, node] : table) {
        if (name != "key" && name != "layout" && layoutsWithField(kind, name).isEmpty())
            return refuse(name.source(),
                          ConfigText::tr("unknown key %1; %2")
                              .arg(quotedWord(name), proposal(name, configFieldNames(kind))));
    }
    const toml::node* key = table.get("key");
    if (!key)
        return refuse(table.source(),
                      ConfigText::tr("\"key\" is missing; write key = \"a name or a pattern\""));
    const Result<QByteArray> pattern = readText(*key, "key");
    if (!pattern)
        return tl::unexpected(pattern.error());
    d.pattern = *pattern;
    const Result<const Layout*> layout = readLayout(kind, table);
    if (!layout)
        return tl::unexpected(layout.error());
    d.layout = (*layout)->id();
    for (const auto& [name, node] : table) {
        if (name == "key" || name == "layout")
            continue;
        if (std::optional<Error> error = readField(d, **layout, name, node))
            return tl::unexpected(*error);
    }
    return d;
}

Result<QByteArray> Reader::readText(const toml::node& node, std::string_view name) const
{
    const toml::value<std::string>* text = node.as_string();
    if (!text)
        return refuse(node.source(),
                      ConfigText::tr("%1 must be a string in quotes").arg(quotedWord(name)));
    if (text->get().empty())
        return refuse(node.source(), ConfigText::tr("%1 is empty").arg(quotedWord(name)));
    return QByteArray::fromStdString(text->get());
}

Result<const Layout*> Reader::readLayout(Kind kind, const toml::table& table) const
{
    const QString right = layoutNames(kind).join(QStringLiteral(", "));
    const toml::node* node = table.get("layout");
    if (!node)
        return refuse(table.source(),
                      ConfigText::tr("\"layout\" is missing; it is one of: %1").arg(right));
    const Result<QByteArray> id = readText(*node, "layout");
    if (!id)
        return tl::unexpected(id.error());
    const Layout* layout = findLayout(*id);
    const std::string_view given(id->constData(), size_t(id->size()));
    if (!layout)
        return refuse(node->source(),
                      ConfigText::tr("unknown layout %1; %2")
                          .arg(quotedWord(given), proposal(given, layoutNames(kind))));
    if (layout->kind() != kind)
        return refuse(node->source(),
                      ConfigText::tr("the layout %1 belongs under [[%2]]; layouts for [[%3]]: %4")
                          .arg(quotedWord(given), QString::fromLatin1(kindId(layout->kind())),
                               QString::fromLatin1(kindId(kind)), right));
    return layout;
}

Result<qint64> Reader::readNumber(const Layout& layout, const ConfigField& field,
                                  const toml::node& node) const
{
    const std::string_view name(field.name.constData(), size_t(field.name.size()));
    if (field.shape == FieldShape::Count) {
        const toml::value<int64_t>* number = node.as_integer();
        if (!number || number->get() <= 0)
            return refuse(node.source(),
                          ConfigText::tr("%1 must be a whole number above zero, such as 5")
                              .arg(quotedWord(name)));
        return number->get();
    }
    const toml::value<std::string>* text = node.as_string();
    if (!text)
        return refuse(node.source(), ConfigText::tr("%1 must be a duration in quotes, such as "
                                                    "\"250ms\", \"1s\", \"10m\", \"24h\" or \"7d\"")
                                         .arg(quotedWord(name)));
    Result<qint64> ms = parseDuration(QString::fromStdString(text->get()));
    if (!ms)
        return refuse(node.source(),
                      QString::fromLatin1(field.name) + QStringLiteral(": ") + ms.error().detail);
    if (field.shape == FieldShape::WholeSeconds && *ms % 1000 != 0)
        return refuse(node.source(), ConfigText::tr("%1 must be whole seconds with the layout %2")
                                         .arg(quotedWord(name), QString::fromLatin1(layout.id())));
    return ms;
}

std::optional<Error> Reader::readField(Declaration& d, const Layout& layout, std::string_view name,
                                       const toml::node& node) const
{
    const std::optional<ConfigField> field = findConfigField(layout, name);
    if (!field)
        return refuse(node.source(),
                      ConfigText::tr("%1 cannot be used with the layout %2; it is for: %3")
                          .arg(quotedWord(name), QString::fromLatin1(layout.id()),
                               layoutsWithField(d.kind, name).join(QStringLiteral(", "))))
            .value();
    if (field->shape == FieldShape::Companion) {
        Result<QByteArray> key = readText(node, name);
        if (!key)
            return key.error();
        d.companions.push_back({field->name, std::move(*key)});
        return std::nullopt;
    }
    const Result<qint64> number = readNumber(layout, *field, node);
    if (!number)
        return number.error();
    d.*field->number = *number;
    return std::nullopt;
}

std::optional<Error> Reader::checkWhole(const Config& config, const Declaration& d,
                                        const toml::table& table) const
{
    const auto same =
        std::find_if(config.declarations.begin(), config.declarations.end(),
                     [&](const DeclarationPtr& o) { return o->pattern == d.pattern; });
    const std::string_view pattern(d.pattern.constData(), size_t(d.pattern.size()));
    if (same != config.declarations.end())
        return refuse(
                   table.get("key")->source(),
                   ConfigText::tr("the key %1 is already declared in line %2; remove one of them")
                       .arg(quotedWord(pattern))
                       .arg((*same)->line))
            .value();
    return std::nullopt;
}

} // namespace

Result<Config> parseConfig(const QByteArray& toml, const QString& fileName)
{
    Reader reader(fileName);
    const toml::parse_result result =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    if (!result) {
        const std::string_view what = result.error().description();
        return reader.refuse(result.error().source(),
                             QString::fromUtf8(what.data(), qsizetype(what.size())));
    }
    return reader.read(result.table());
}

QString absoluteConfigPath(const QString& path)
{
    if (path.isEmpty())
        return path;
    const QString home =
        path.startsWith(QLatin1String("~/")) ? QDir::homePath() + path.mid(1) : path;
    return QDir::cleanPath(QFileInfo(home).absoluteFilePath());
}

Result<Config> loadConfig(const QString& path)
{
    QFile file(absoluteConfigPath(path));
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::FileError,
                       ConfigText::tr("%1: %2").arg(path, file.errorString()));
    const QByteArray text = file.read(largestFile + 1);
    if (text.size() > largestFile)
        return failure(ErrorCode::FileError, ConfigText::tr("%1: larger than 1 MiB").arg(path));
    return parseConfig(text, path);
}

QString defaultConfigPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/lockkeeper/lockkeeper.toml");
}

Result<Config> loadConfigOrDefault(const QString& given)
{
    if (!given.isEmpty())
        return loadConfig(given);
    const QString path = defaultConfigPath();
    // A broken link is a mistake, not a missing file.
    const QFileInfo file(path);
    return file.exists() || file.isSymLink() ? loadConfig(path) : Result<Config>(Config());
}

} // namespace lk
