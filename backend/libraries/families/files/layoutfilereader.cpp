// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/layoutfilereader.h"

#include "backend/core/names/foreigntext.h"
#include "backend/libraries/families/files/family.h"
#include "backend/libraries/families/files/layouttable.h"
#include "backend/text/proposal.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutFile)
};

constexpr qint64 mostSiblings = 16; // the most that are kept of one form
constexpr qint64 largestFile = 64 * 1024;

QStringList familyNames()
{
    QStringList names;
    for (const Family& family : allFamilies())
        names << QString::fromLatin1(family.id);
    return names;
}

QStringList roleNames(const Family& family)
{
    QStringList names;
    for (const FamilyRole& role : family.roles)
        names << QString::fromLatin1(role.name);
    return names;
}

QStringList wordsOf(const std::vector<const char*>& words)
{
    QStringList all;
    for (const char* word : words)
        all << QString::fromLatin1(word);
    return all;
}

constexpr std::array<std::pair<const char*, double>, 7> units{{{"ns", 1e-6},
                                                               {"us", 1e-3},
                                                               {"ms", 1},
                                                               {"s", 1000},
                                                               {"m", 60e3},
                                                               {"h", 3600e3},
                                                               {"d", 86400e3}}};
constexpr std::array<std::pair<const char*, TimeUnit>, 4> timeUnits{
    {{"s", TimeUnit::Seconds},
     {"ms", TimeUnit::Milliseconds},
     {"us", TimeUnit::Microseconds},
     {"ns", TimeUnit::Nanoseconds}}};

template<typename Pairs> QStringList namesOf(const Pairs& pairs)
{
    QStringList names;
    for (const auto& [name, value] : pairs)
        names << QString::fromLatin1(name);
    return names;
}

// Reads one file. Reports the first problem.
class Reader
{
public:
    explicit Reader(LayoutProblem& problem)
        : m_problem(problem)
    {}

    LayoutFile read(const toml::table& root);

private:
    void readHead(LayoutTable& table);
    void readKeys(const toml::table& root);
    void readKey(const toml::table& table);
    void readProof(LayoutTable& table, KeyRule& rule);
    void checkKeys(const toml::table& root);
    NumberRule readNumber(const toml::table& table, bool isWindow);
    void readWakeUp(const toml::table& table);
    void readSettings(const toml::table& table);
    void checkPlaceholders(LayoutTable& table, const char* key, const NamePattern& pattern);

    LayoutProblem& m_problem;
    const Family* m_family = nullptr;
    LayoutFile m_file;
};

LayoutFile Reader::read(const toml::table& root)
{
    static const QStringList known{
        QStringLiteral("id"),        QStringLiteral("title"),    QStringLiteral("family"),
        QStringLiteral("library"),   QStringLiteral("versions"), QStringLiteral("url"),
        QStringLiteral("proven"),    QStringLiteral("sure"),     QStringLiteral("key"),
        QStringLiteral("primitive"), QStringLiteral("label"),    QStringLiteral("limit"),
        QStringLiteral("window"),    QStringLiteral("wake_up"),  QStringLiteral("read"),
        QStringLiteral("siblings")};
    LayoutTable table(root, known, m_problem);
    readHead(table);
    if (!m_family)
        return m_file;
    readKeys(root);
    checkKeys(root);
    if (m_problem.first())
        return m_file;
    m_file.primitives = table.patterns("primitive");
    m_file.labels = table.patterns("label");
    for (const NamePattern& name : m_file.primitives)
        checkPlaceholders(table, "primitive", name);
    for (const NamePattern& name : m_file.labels)
        checkPlaceholders(table, "label", name);
    if (const toml::table* limit = table.table("limit"))
        m_file.limit = readNumber(*limit, false);
    if (const toml::table* window = table.table("window"))
        m_file.window = readNumber(*window, true);
    if (const toml::table* wakeUp = table.table("wake_up"))
        readWakeUp(*wakeUp);
    if (const toml::table* settings = table.table("read"))
        readSettings(*settings);
    return m_file;
}

void Reader::readHead(LayoutTable& table)
{
    m_file.id = table.neededText("id");
    const bool plain = std::all_of(m_file.id.begin(), m_file.id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!plain)
        table.refuse(
            "id", Text::tr("\"id\" can contain only a to z, digits and -, such as \"my-limiter\""));
    m_file.title = foreignText(QString::fromUtf8(table.neededText("title")));
    m_file.library = foreignText(QString::fromUtf8(table.text("library")));
    m_file.versions = foreignText(QString::fromUtf8(table.text("versions")));
    m_file.url = foreignText(QString::fromUtf8(table.text("url")));
    const QByteArray proven =
        table.word("proven", {QStringLiteral("client"), QStringLiteral("fixture")});
    m_file.proven = proven == "client"    ? Proven::Client
                    : proven == "fixture" ? Proven::Fixture
                                          : Proven::Unknown;
    if (const auto confidence = table.share("sure")) {
        m_file.confidence = *confidence;
    } else {
        const QByteArray sure =
            table.word("sure", {QStringLiteral("certain"), QStringLiteral("likely"),
                                QStringLiteral("possible")});
        m_file.confidence = sure == "likely" ? 0.75 : sure == "possible" ? 0.4 : 0.95;
    }
    m_file.siblings = int(std::min<qint64>(table.count("siblings").value_or(0), mostSiblings));
    m_file.family = table.neededText("family");
    m_family = findFamily(m_file.family);
    if (!m_family)
        table.word("family", familyNames());
    else
        m_file.kind = m_family->kind;
}

void Reader::readKeys(const toml::table& root)
{
    const toml::node* node = root.get("key");
    const toml::array* array = node ? node->as_array() : nullptr;
    if (!array || array->empty() || !array->is_homogeneous(toml::node_type::table)) {
        m_problem.refuse(node ? node->source() : root.source(),
                         Text::tr("keys are written as [[key]], once for each role; roles of "
                                  "the family %1: %2")
                             .arg(QString::fromLatin1(m_family->id),
                                  roleNames(*m_family).join(QStringLiteral(", "))));
        return;
    }
    for (const toml::node& entry : *array)
        readKey(*entry.as_table());
}

void Reader::readKey(const toml::table& toml)
{
    static const QStringList known{QStringLiteral("role"),
                                   QStringLiteral("name"),
                                   QStringLiteral("type"),
                                   QStringLiteral("optional"),
                                   QStringLiteral("alone"),
                                   QStringLiteral("value"),
                                   QStringLiteral("follows"),
                                   QStringLiteral("expiry"),
                                   QStringLiteral("element"),
                                   QStringLiteral("member"),
                                   QStringLiteral("score"),
                                   QStringLiteral("when"),
                                   QStringLiteral("fields"),
                                   QStringLiteral("further"),
                                   QStringLiteral("only"),
                                   QStringLiteral("field"),
                                   QStringLiteral("ttl"),
                                   QStringLiteral("most_ttl"),
                                   QStringLiteral("member_is_score"),
                                   QStringLiteral("called"),
                                   QStringLiteral("state")};
    LayoutTable table(toml, known, m_problem);
    KeyRule rule;
    table.neededText("role");
    rule.familyRole = table.word("role", roleNames(*m_family));
    for (const char* key : {"called", "state"}) {
        if (table.has(key) && !m_family->jobs)
            table.refuse(key, Text::tr("%1 is for job queues, not for the family %2")
                                  .arg(quotedWord(key), QString::fromLatin1(m_family->id)));
    }
    rule.role = table.has("called") ? table.neededText("called") : rule.familyRole;
    rule.state = table.has("state") ? table.neededText("state") : rule.role;
    table.has("name") ? void() : void(table.neededText("name"));
    rule.names = table.patterns("name");
    for (const NamePattern& name : rule.names) {
        if (name.text().isEmpty())
            table.refuse("name", Text::tr("\"name\" is empty"));
    }
    const auto role = std::find_if(m_family->roles.begin(), m_family->roles.end(),
                                   [&](const FamilyRole& r) { return rule.familyRole == r.name; });
    if (role == m_family->roles.end())
        return;
    QStringList types;
    for (const KeyType type : role->types)
        types << QString::fromLatin1(keyTypeName(type));
    rule.type = role->types.front();
    const QByteArrayList given = table.words("type", types);
    if (!given.isEmpty())
        rule.type = keyTypeFromName(given.front());
    if (given.size() > 1)
        rule.otherType = keyTypeFromName(given.back());
    rule.optional = table.flag("optional").value_or(!role->required);
    rule.alone = table.flag("alone").value_or(role->alone);
    rule.follows = table.flag("follows").value_or(false);
    readProof(table, rule);
    m_file.keys.push_back(std::move(rule));
}

void Reader::readProof(LayoutTable& table, KeyRule& rule)
{
    const auto onlyFor = [&](std::initializer_list<const char*> keys,
                             std::initializer_list<KeyType> types) {
        for (const char* key : keys) {
            const bool fits = std::any_of(types.begin(), types.end(),
                                          [&](KeyType type) { return rule.is(type); });
            if (table.has(key) && !fits)
                table.refuse(
                    key, Text::tr("%1 is not for a %2")
                             .arg(quotedWord(key), QString::fromLatin1(keyTypeName(rule.type))));
        }
    };
    onlyFor({"value"}, {KeyType::String});
    onlyFor({"expiry"}, {KeyType::String, KeyType::ZSet});
    onlyFor({"element"}, {KeyType::List});
    onlyFor({"member"}, {KeyType::Set, KeyType::ZSet});
    onlyFor({"score", "when", "member_is_score"}, {KeyType::ZSet});
    onlyFor({"fields", "further", "only", "field"}, {KeyType::Hash});
    rule.values = table.patterns("value");
    rule.valueIsExpiry = table.flag("expiry").value_or(false);
    rule.elements = table.patterns("element");
    rule.members = table.patterns("member");
    rule.memberIsScore = table.flag("member_is_score").value_or(false);
    const QByteArray unit = table.word("score", namesOf(timeUnits));
    for (const auto& [name, value] : timeUnits) {
        if (unit == name)
            rule.scores = value;
    }
    const QByteArray when = table.word("when", {QStringLiteral("past"), QStringLiteral("future")});
    rule.when = when == "past"     ? KeyRule::When::Past
                : when == "future" ? KeyRule::When::Future
                                   : KeyRule::When::Any;
    rule.fields = table.texts("fields");
    rule.furtherFields = table.texts("further");
    rule.onlyThese = table.flag("only").value_or(false);
    rule.fieldNames = table.patterns("field");
    const QByteArray ttl = table.word("ttl", {QStringLiteral("always"), QStringLiteral("never")});
    if (!ttl.isEmpty())
        rule.hasTtl = ttl == "always";
    rule.mostTtlMs = table.durationMs("most_ttl");
}

void Reader::checkKeys(const toml::table& root)
{
    const toml::node* node = root.get("key");
    const toml::source_region at = node ? node->source() : root.source();
    for (const FamilyRole& role : m_family->roles) {
        const QString name = QString::fromLatin1(role.name);
        const KeyRule* first = m_file.keyFor(role.name);
        for (const KeyRule& rule : m_file.keys) {
            const bool twice = rule.familyRole == role.name && !role.several && &rule != first;
            if (twice)
                m_problem.refuse(at, Text::tr("the role \"%1\" is written twice; give its names as "
                                              "name = [\"...\", \"...\"]")
                                         .arg(name));
        }
        if (!first && role.required)
            m_problem.refuse(at, Text::tr("a [[key]] with role = \"%1\" is missing").arg(name));
    }
    for (const KeyRule& rule : m_file.keys) {
        if (m_file.key(rule.role) != &rule)
            m_problem.refuse(at, Text::tr("two keys are called \"%1\"; give each its own name: "
                                          "called = \"...\"")
                                     .arg(QString::fromUtf8(rule.role)));
    }
    // The main key's rule comes first, whatever the order in the file.
    const QByteArray main = m_family->roles.front().name;
    std::stable_partition(m_file.keys.begin(), m_file.keys.end(),
                          [&](const KeyRule& rule) { return rule.familyRole == main; });
}

void Reader::checkPlaceholders(LayoutTable& table, const char* key, const NamePattern& pattern)
{
    QByteArrayList known;
    for (const NamePattern& main : m_file.keys.front().names)
        known += main.placeholders();
    for (const QByteArray& name : pattern.placeholders()) {
        if (known.contains(name))
            continue;
        QStringList right;
        for (const QByteArray& placeholder : std::as_const(known))
            right << QString::fromUtf8(placeholder);
        table.refuse(key, Text::tr("the name of the main key has no placeholder %1; %2")
                              .arg(QString::fromUtf8(name),
                                   proposal(std::string_view(name.constData(), size_t(name.size())),
                                            right)));
    }
}

NumberRule Reader::readNumber(const toml::table& toml, bool isWindow)
{
    static const QStringList forLimit{QStringLiteral("fixed"), QStringLiteral("name"),
                                      QStringLiteral("field"), QStringLiteral("key")};
    static const QStringList forWindow{QStringLiteral("fixed"), QStringLiteral("name"),
                                       QStringLiteral("field"), QStringLiteral("rule"),
                                       QStringLiteral("unit")};
    LayoutTable table(toml, isWindow ? forWindow : forLimit, m_problem);
    NumberRule number;
    if (isWindow && table.has("unit")) {
        const QByteArray unit = table.text("unit");
        number.from = NumberRule::From::Name;
        if (unit.startsWith('{') && unit.endsWith('}')) {
            number.unitInName = unit.mid(1, unit.size() - 2);
            if (const auto pattern = table.pattern("unit"))
                checkPlaceholders(table, "unit", *pattern);
        } else {
            table.word("unit", namesOf(units));
            for (const auto& [name, ms] : units) {
                if (unit == name)
                    number.unitMs = ms;
            }
        }
    }
    if (table.has("fixed")) {
        number.from = NumberRule::From::Fixed;
        number.fixed = (isWindow ? table.durationMs("fixed") : table.count("fixed")).value_or(1);
    } else if (auto name = table.pattern("name")) {
        number.from = NumberRule::From::Name;
        checkPlaceholders(table, "name", *name);
        number.name = std::move(*name);
    } else if (table.has("field")) {
        number.from = NumberRule::From::Field;
        number.word = table.neededText("field");
    } else if (table.has("key")) {
        number.from = NumberRule::From::Key;
        number.word = table.word("key", roleNames(*m_family));
    } else if (table.has("rule") && number.from == NumberRule::From::Unknown) {
        number.from = NumberRule::From::Rule;
    }
    if (isWindow && table.has("rule"))
        number.rule = table.word("rule", wordsOf(m_family->windowRules));
    return number;
}

void Reader::readWakeUp(const toml::table& toml)
{
    static const QStringList known{QStringLiteral("publish"), QStringLiteral("push"),
                                   QStringLiteral("message")};
    LayoutTable table(toml, known, m_problem);
    if (!m_family->wakes)
        m_problem.refuse(toml.source(), Text::tr("[wake_up] is for locks, not for the family %1")
                                            .arg(QString::fromLatin1(m_family->id)));
    if (table.has("message"))
        m_file.wakeUp.message = table.text("message");
    if (auto channel = table.pattern("publish")) {
        checkPlaceholders(table, "publish", *channel);
        m_file.wakeUp.channel = std::move(*channel);
    }
    if (auto list = table.pattern("push")) {
        checkPlaceholders(table, "push", *list);
        KeyRule signal;
        signal.role = QByteArrayLiteral("signal");
        signal.names.push_back(std::move(*list));
        signal.type = KeyType::List;
        signal.optional = true;
        signal.follows = true;
        m_file.keys.push_back(std::move(signal));
    }
    if (!table.has("publish") && !table.has("push"))
        m_problem.refuse(toml.source(),
                         Text::tr("[wake_up] needs publish = \"a channel\" or push = \"a list\""));
}

void Reader::readSettings(const toml::table& toml)
{
    QStringList known;
    for (const FamilySetting& setting : m_family->settings)
        known << QString::fromLatin1(setting.name);
    LayoutTable table(toml, known, m_problem);
    using Shape = FamilySetting::Shape;
    for (const FamilySetting& setting : m_family->settings) {
        if (!table.has(setting.name))
            continue;
        SettingValue value;
        switch (setting.shape) {
        case Shape::Word:
            value = table.word(setting.name, wordsOf(setting.words));
            break;
        case Shape::Text:
            value = table.neededText(setting.name);
            break;
        case Shape::Texts:
            value = table.texts(setting.name);
            break;
        case Shape::Durations: {
            const QByteArrayList texts = table.texts(setting.name);
            for (const QByteArray& text : texts) {
                if (const auto ms = parseDuration(QString::fromUtf8(text)); !ms)
                    table.refuse(setting.name, ms.error().detail);
            }
            value = texts;
            break;
        }
        case Shape::Count:
            value = table.count(setting.name).value_or(1);
            break;
        case Shape::Duration:
            value = table.durationMs(setting.name).value_or(1);
            break;
        case Shape::Flag:
            value = table.flag(setting.name).value_or(false);
            break;
        }
        m_file.settings.emplace_back(setting.name, std::move(value));
    }
}

} // namespace

Result<LayoutFile> parseLayoutFile(const QByteArray& toml, const QString& fileName)
{
    LayoutProblem problem(fileName);
    const toml::parse_result result =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    LayoutFile file;
    if (result) {
        file = Reader(problem).read(result.table());
        file.source = fileName;
    } else {
        const std::string_view what = result.error().description();
        problem.refuse(result.error().source(),
                       QString::fromUtf8(what.data(), qsizetype(what.size())));
    }
    if (problem.first())
        return tl::unexpected(*problem.first());
    return file;
}

Result<LayoutFile> loadLayoutFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::FileError, Text::tr("%1: %2").arg(path, file.errorString()));
    const QByteArray text = file.read(largestFile + 1);
    if (text.size() > largestFile)
        return failure(ErrorCode::FileError, Text::tr("%1: larger than 64 KiB").arg(path));
    return parseLayoutFile(text, path);
}

} // namespace lk
