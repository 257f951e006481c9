// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/config.h"

#include "backend/core/duration.h"
#include "backend/layouts/layout.h"

#include <QCoreApplication>
#include <QFile>
#include <QStringList>

#include <algorithm>

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

constexpr qint64 largestFile = 1024 * 1024;

enum class Shape : quint8 { Text, Count, Duration, Companion };

struct Field
{
    const char* name;
    Shape shape;
    Kind kind;
    const char* onlyLayout; ///< null: any of the kind
};

// Every key there is besides "key" and "layout", which all tables have.
constexpr Field fields[] = {
    {"limit", Shape::Count, Kind::Limiter, nullptr},
    {"window", Shape::Duration, Kind::Limiter, nullptr},
    {"retry", Shape::Companion, Kind::Limiter, "rolling-window-retry"},
    {"consumer_limit", Shape::Count, Kind::Limiter, "resource-consumer"},
    {"processing", Shape::Companion, Kind::Queue, nullptr},
    {"dead", Shape::Companion, Kind::Queue, nullptr},
    {"delayed", Shape::Companion, Kind::Queue, nullptr},
    {"stuck_after", Shape::Duration, Kind::Queue, nullptr},
    {"max_ttl", Shape::Duration, Kind::Token, nullptr},
};

constexpr std::array tableKinds{Kind::Limiter, Kind::Queue, Kind::Lock, Kind::Token};

QString quoted(std::string_view text)
{
    return QLatin1Char('"') + QString::fromUtf8(text.data(), qsizetype(text.size())) +
           QLatin1Char('"');
}

// Edits that turn one word into the other.
qsizetype distance(const QString& a, const QString& b)
{
    std::vector<qsizetype> row(size_t(b.size()) + 1);
    for (size_t j = 0; j < row.size(); ++j)
        row[j] = qsizetype(j);
    for (qsizetype i = 0; i < a.size(); ++i) {
        qsizetype diagonal = row[0];
        row[0] = i + 1;
        for (qsizetype j = 0; j < b.size(); ++j) {
            const qsizetype replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[size_t(j) + 1];
            row[size_t(j) + 1] = std::min({replaced, diagonal + 1, row[size_t(j)] + 1});
        }
    }
    return row.back();
}

// What follows "unknown ...": the nearest right word, then all of them.
QString proposal(std::string_view given, const QStringList& right)
{
    const QString word = QString::fromUtf8(given.data(), qsizetype(given.size())).left(64);
    const auto nearest = std::min_element(right.begin(), right.end(), [&](auto& a, auto& b) {
        return distance(word, a) < distance(word, b);
    });
    const QString all = right.join(QStringLiteral(", "));
    if (nearest != right.end() &&
        distance(word, *nearest) <= std::max<qsizetype>(2, word.size() / 3))
        return Text::tr("did you mean \"%1\"? Known are: %2").arg(*nearest, all);
    return Text::tr("known are: %1").arg(all);
}

QStringList tableNames()
{
    QStringList names;
    for (const Kind kind : tableKinds)
        names << QString::fromLatin1(kindId(kind));
    return names;
}

QStringList fieldNames(Kind kind)
{
    QStringList names{QStringLiteral("key"), QStringLiteral("layout")};
    for (const Field& field : fields) {
        if (field.kind == kind)
            names << QString::fromLatin1(field.name);
    }
    return names;
}

QStringList layoutNames(Kind kind)
{
    QStringList names;
    for (const Layout* layout : allLayouts()) {
        if (layout->kind() == kind)
            names << QString::fromLatin1(layout->id());
    }
    return names;
}

// Reads one file; the first thing that is wrong ends it.
class Reader
{
public:
    explicit Reader(QString fileName)
        : m_fileName(std::move(fileName))
    {}

    Result<Config> read(const toml::table& root);
    tl::unexpected<Error> refuse(const toml::source_region& at, const QString& what) const
    {
        return failure(ErrorCode::BadConfig,
                       QStringLiteral("%1:%2: %3").arg(m_fileName).arg(at.begin.line).arg(what));
    }

private:
    Result<Declaration> readTable(Kind kind, const toml::table& table) const;
    Result<QByteArray> readText(const toml::node& node, std::string_view name) const;
    Result<const Layout*> readLayout(Kind kind, const toml::table& table) const;
    Result<qint64> readNumber(const Field& field, const toml::node& node) const;
    std::optional<Error> readField(Declaration& d, const Layout& layout, std::string_view name,
                                   const toml::node& node) const;
    std::optional<Error> checkWhole(const Config& config, const Declaration& d,
                                    const toml::table& table) const;

    QString m_fileName;
};

Result<Config> Reader::read(const toml::table& root)
{
    Config config;
    for (const auto& [name, node] : root) {
        const auto kind = std::find_if(tableKinds.begin(), tableKinds.end(),
                                       [&](Kind k) { return name == kindId(k).constData(); });
        if (kind == tableKinds.end())
            return refuse(
                name.source(),
                Text::tr("unknown table %1; %2").arg(quoted(name), proposal(name, tableNames())));
        const toml::array* array = node.as_array();
        if (!array || !array->is_homogeneous(toml::node_type::table))
            return refuse(node.source(),
                          Text::tr("%1 is written as [[%2]], once for each key or "
                                   "pattern")
                              .arg(quoted(name), QString::fromLatin1(kindId(*kind))));
        for (const toml::node& entry : *array) {
            Result<Declaration> d = readTable(*kind, *entry.as_table());
            if (!d)
                return tl::unexpected(d.error());
            if (std::optional<Error> error = checkWhole(config, *d, *entry.as_table()))
                return tl::unexpected(*error);
            config.declarations.push_back(std::make_shared<Declaration>(std::move(*d)));
        }
    }
    // The parser's table is in the order of its keys; people count in the order of the file.
    std::stable_sort(
        config.declarations.begin(), config.declarations.end(),
        [](const DeclarationPtr& a, const DeclarationPtr& b) { return a->line < b->line; });
    return config;
}

Result<Declaration> Reader::readTable(Kind kind, const toml::table& table) const
{
    Declaration d;
    d.kind = kind;
    d.line = int(table.source().begin.line);
    const toml::node* key = table.get("key");
    if (!key)
        return refuse(table.source(),
                      Text::tr("\"key\" is missing; write key = \"a name or a pattern\""));
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
        return refuse(node.source(), Text::tr("%1 takes a text in quotes").arg(quoted(name)));
    if (text->get().empty())
        return refuse(node.source(), Text::tr("%1 is empty").arg(quoted(name)));
    return QByteArray::fromStdString(text->get());
}

Result<const Layout*> Reader::readLayout(Kind kind, const toml::table& table) const
{
    const QString right = layoutNames(kind).join(QStringLiteral(", "));
    const toml::node* node = table.get("layout");
    if (!node)
        return refuse(table.source(),
                      Text::tr("\"layout\" is missing; it is one of: %1").arg(right));
    const Result<QByteArray> id = readText(*node, "layout");
    if (!id)
        return tl::unexpected(id.error());
    const Layout* layout = findLayout(*id);
    const std::string_view given(id->constData(), size_t(id->size()));
    if (!layout)
        return refuse(node->source(), Text::tr("unknown layout %1; %2")
                                          .arg(quoted(given), proposal(given, layoutNames(kind))));
    if (layout->kind() != kind)
        return refuse(node->source(),
                      Text::tr("the layout %1 belongs under [[%2]]; under [[%3]] there are: %4")
                          .arg(quoted(given), QString::fromLatin1(kindId(layout->kind())),
                               QString::fromLatin1(kindId(kind)), right));
    return layout;
}

Result<qint64> Reader::readNumber(const Field& field, const toml::node& node) const
{
    if (field.shape == Shape::Count) {
        const toml::value<int64_t>* number = node.as_integer();
        if (!number || number->get() <= 0)
            return refuse(
                node.source(),
                Text::tr("%1 takes a whole number above zero, such as 5").arg(quoted(field.name)));
        return number->get();
    }
    const toml::value<std::string>* text = node.as_string();
    if (!text)
        return refuse(node.source(), Text::tr("%1 takes a duration in quotes, such as \"250ms\", "
                                              "\"1s\", \"10m\", \"24h\" or \"7d\"")
                                         .arg(quoted(field.name)));
    Result<qint64> ms = parseDuration(QString::fromStdString(text->get()));
    if (!ms)
        return refuse(node.source(),
                      QString::fromLatin1(field.name) + QStringLiteral(": ") + ms.error().detail);
    return ms;
}

std::optional<Error> Reader::readField(Declaration& d, const Layout& layout, std::string_view name,
                                       const toml::node& node) const
{
    const auto field = std::find_if(std::begin(fields), std::end(fields), [&](const Field& f) {
        return f.kind == d.kind && name == f.name;
    });
    if (field == std::end(fields))
        return refuse(node.source(), Text::tr("unknown key %1; %2")
                                         .arg(quoted(name), proposal(name, fieldNames(d.kind))))
            .value();
    if (field->onlyLayout && layout.id() != field->onlyLayout)
        return refuse(node.source(), Text::tr("%1 is for the layout \"%2\" only")
                                         .arg(quoted(name), QString::fromLatin1(field->onlyLayout)))
            .value();
    if (field->shape == Shape::Companion) {
        Result<QByteArray> key = readText(node, name);
        if (!key)
            return key.error();
        d.companions.push_back({field->name, std::move(*key)});
        return std::nullopt;
    }
    const Result<qint64> number = readNumber(*field, node);
    if (!number)
        return number.error();
    const QLatin1String id(field->name);
    auto& target = id == QLatin1String("limit")            ? d.limit
                   : id == QLatin1String("window")         ? d.windowMs
                   : id == QLatin1String("consumer_limit") ? d.consumerLimit
                   : id == QLatin1String("stuck_after")    ? d.stuckAfterMs
                                                           : d.maxTtlMs;
    target = *number;
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
        return refuse(table.get("key")->source(),
                      Text::tr("the key %1 is declared in line %2 already; one of them has to go")
                          .arg(quoted(pattern))
                          .arg((*same)->line))
            .value();
    if (d.layout == "resource-consumer" && d.windowMs.value_or(0) % 1000 != 0)
        return refuse(table.get("window")->source(),
                      Text::tr("\"window\" of a resource-consumer is in whole seconds"))
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

Result<Config> loadConfig(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::FileError, Text::tr("%1: %2").arg(path, file.errorString()));
    const QByteArray text = file.read(largestFile + 1);
    if (text.size() > largestFile)
        return failure(ErrorCode::FileError, Text::tr("%1: larger than 1 MiB").arg(path));
    return parseConfig(text, path);
}

} // namespace lk
