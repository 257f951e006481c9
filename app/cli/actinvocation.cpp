// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/actinvocation.h"

#include "backend/text/duration.h"
#include "backend/core/keyname.h"
#include "backend/actions/catalog/catalog.h"
#include "backend/layouts/layout.h"

#include <QSet>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActInvocation)
};

using What = ActInvocation::What;
using Type = ActionParameter::Type;

constexpr qint64 longestWatchMs = 24LL * 3600 * 1000;

bool kindsHave(const QByteArray& kind)
{
    const auto all = knownActions();
    return std::any_of(all.begin(), all.end(),
                       [&](const Action* a) { return a->id().startsWith(kind + '.'); });
}

// Of all actions of that id: layouts may differ in what theirs take.
std::vector<ActionParameter> parametersOf(const QByteArray& action)
{
    std::vector<ActionParameter> all;
    for (const Layout* layout : allLayouts()) {
        const Action* candidate = findAction(*layout, action);
        if (!candidate)
            continue;
        for (const ActionParameter& p : candidate->parameters()) {
            const bool known = std::any_of(all.begin(), all.end(), [&](const ActionParameter& a) {
                return a.name == p.name;
            });
            if (!known)
                all.push_back(p);
        }
    }
    return all;
}

class Parser
{
public:
    explicit Parser(QStringList words)
        : m_words(std::move(words))
    {}

    Result<ActInvocation> parse()
    {
        sortWords();
        if (m_help) {
            ActInvocation help;
            help.what = What::Help;
            return help;
        }
        places();
        for (const auto& [name, value] : m_options)
            option(name, value);
        if (m_result.json && m_result.dryRun)
            fail(Text::tr("--json is for receipts; a plan is printed as text"));
        if (m_error)
            return tl::unexpected(*m_error);
        return m_result;
    }

private:
    void fail(const QString& detail)
    {
        if (!m_error)
            m_error = Error{ErrorCode::BadArgument, detail};
    }

    // Which options take a value depends on the verb, which may come after them: a word that
    // follows an option is its value unless the option is known to be a flag.
    void sortWords()
    {
        static const QStringList flags{
            QStringLiteral("--dry-run"), QStringLiteral("--yes"),  QStringLiteral("--json"),
            QStringLiteral("--all"),     QStringLiteral("--hash"), QStringLiteral("--none")};
        while (!m_words.isEmpty()) {
            const QString word = m_words.takeFirst();
            if (word == QLatin1String("--help") || word == QLatin1String("-h"))
                m_help = true;
            if (word == QLatin1String("--")) {
                m_places << m_words;
                m_words.clear();
            } else if (!word.startsWith(QLatin1String("--"))) {
                m_places << word;
            } else if (const QString name = word.section(QLatin1Char('='), 0, 0);
                       !m_help && !knownOptions().contains(name)) {
                // Else it would swallow the next word, and something else seemed to be missing.
                return fail(Text::tr("Unknown option %1; act --help lists all").arg(name));
            } else if (const qsizetype equals = word.indexOf(QLatin1Char('=')); equals > 0) {
                m_options.emplace_back(word.left(equals), word.mid(equals + 1));
            } else if (flags.contains(word)) {
                m_options.emplace_back(word, QString());
            } else if (m_words.isEmpty() && word != QLatin1String("--help")) {
                fail(Text::tr("%1 needs a value").arg(word));
            } else if (!m_words.isEmpty()) {
                m_options.emplace_back(word, m_words.takeFirst());
            }
        }
    }

    // Of any action.
    static const QSet<QString>& knownOptions()
    {
        static const QSet<QString> known = [] {
            QSet<QString> all{QStringLiteral("--dry-run"),      QStringLiteral("--yes"),
                              QStringLiteral("--reason"),       QStringLiteral("--config"),
                              QStringLiteral("--environment"),  QStringLiteral("--json"),
                              QStringLiteral("--for"),          QStringLiteral("--older-than"),
                              QStringLiteral("--help")};
            for (const Action* action : knownActions()) {
                for (const ActionParameter& parameter : parametersOf(action->id())) {
                    const QString option = QStringLiteral("--") + QString::fromLatin1(parameter.name);
                    all << option << option + QStringLiteral("-file");
                }
            }
            return all;
        }();
        return known;
    }

    QString take(const QString& missing)
    {
        if (m_places.isEmpty()) {
            fail(missing);
            return {};
        }
        return m_places.takeFirst();
    }

    void places()
    {
        const QString address = take(Text::tr("act needs the address of a server; act --help tells more"));
        if (m_error)
            return;
        if (const Result<ServerUrl> url = parseServerUrl(address))
            m_result.url = *url;
        else
            m_error = url.error();
        const QString what = take(Text::tr("act needs to be told what to do; act --help lists all"));
        if (m_error)
            return;
        if (what == QLatin1String("undo")) {
            m_result.what = What::Undo;
            m_result.receipt = take(Text::tr("undo needs a receipt")).toLatin1();
        } else if (what == QLatin1String("journal")) {
            m_result.what = What::Journal;
        } else {
            step(what.toLatin1());
        }
        if (!m_places.isEmpty())
            fail(Text::tr("There is one argument too many: %1").arg(m_places.front()));
    }

    void step(const QByteArray& kind)
    {
        if (!kindsHave(kind))
            return fail(Text::tr("There is nothing called %1 to act on; act --help lists all")
                            .arg(displayName(kind)));
        const QByteArray verb =
            take(Text::tr("%1 needs a verb; act --help lists all").arg(QString::fromLatin1(kind)))
                .toLatin1();
        if (m_error)
            return;
        m_result.action = kind + '.' + verb;
        if (m_result.action == "queue.watch") {
            m_result.what = What::Watch;
            m_result.name = bytesFromDisplay(take(Text::tr("queue watch needs a name")));
            return;
        }
        const auto all = knownActions();
        const auto it = std::find_if(all.begin(), all.end(), [&](const Action* a) {
            return a->id() == m_result.action;
        });
        if (it == all.end())
            return fail(Text::tr("A %1 has no verb %2; act --help lists all")
                            .arg(QString::fromLatin1(kind), displayName(verb)));
        if ((*it)->needsTarget())
            m_result.name = bytesFromDisplay(take(Text::tr("%1 %2 needs a name")
                                                      .arg(QString::fromLatin1(kind),
                                                           QString::fromLatin1(verb))));
    }

    void option(const QString& name, const QString& value)
    {
        if (name == QLatin1String("--dry-run"))
            m_result.dryRun = true;
        else if (name == QLatin1String("--yes"))
            m_result.yes = true;
        else if (name == QLatin1String("--reason"))
            m_result.reason = value;
        else if (name == QLatin1String("--config"))
            m_result.configFile = value;
        else if (name == QLatin1String("--environment"))
            m_result.environment = value;
        else if (name == QLatin1String("--json") && m_result.what != What::Watch)
            m_result.json = true;
        else if (m_result.what == What::Watch
                 && (name == QLatin1String("--for") || name == QLatin1String("--older-than")))
            length(name, value);
        else
            parameter(name.mid(2).toLatin1(), value);
    }

    void length(const QString& name, const QString& value)
    {
        const Result<qint64> ms = parseDuration(value);
        if (!ms || *ms < 1 || *ms > longestWatchMs)
            return fail(Text::tr("%1 takes a duration from 1ms to 1d, as 30s").arg(name));
        m_result.request.values[name.mid(2).toLatin1()] = value.toUtf8();
    }

    void parameter(const QByteArray& option, const QString& value)
    {
        const bool file = option.endsWith("-file");
        const QByteArray name = file ? option.chopped(5) : option;
        const std::vector<ActionParameter> all = parametersOf(m_result.action);
        const auto found = std::find_if(all.begin(), all.end(), [&](const ActionParameter& p) {
            return p.name == name;
        });
        const bool known = m_result.what == What::Step && found != all.end();
        // What may be secret, or tells who works on what.
        const bool sensitive = known && (found->type == Type::Payload || name == "owner");
        if (!known || (file && !sensitive))
            return fail(Text::tr("Unknown option --%1 for this action; act --help lists all")
                            .arg(QString::fromLatin1(option)));
        if (file || (sensitive && value == QLatin1String("-")))
            return fromFile(name, value);
        if (sensitive)
            m_result.exposed << name;
        m_result.request.values[name] =
            found->type == Type::Text ? bytesFromDisplay(value) : value.toUtf8();
    }

    void fromFile(const QByteArray& name, const QString& path)
    {
        const bool twice = std::any_of(m_result.files.begin(), m_result.files.end(), [](const auto& f) {
            return f.second == QLatin1String("-");
        });
        if (path == QLatin1String("-") && twice)
            return fail(Text::tr("Only one value can be read from standard input"));
        m_result.files[name] = path;
    }

    QStringList m_words;
    QStringList m_places;
    std::vector<std::pair<QString, QString>> m_options;
    ActInvocation m_result;
    std::optional<Error> m_error;
    bool m_help = false;
};

QString parameterText(const ActionParameter& p)
{
    QString text = QStringLiteral("--") + QString::fromLatin1(p.name);
    if (p.type == Type::Duration)
        text += QStringLiteral(" 30s");
    else if (p.type == Type::Count)
        text += QStringLiteral(" N");
    else if (p.type == Type::Choice)
        text += QLatin1Char(' ') + QString::fromLatin1(p.choices.join('|'));
    else if (p.type != Type::Flag)
        text += QStringLiteral(" TEXT");
    return p.required ? text : QLatin1Char('[') + text + QLatin1Char(']');
}

} // namespace

std::vector<const Action*> knownActions()
{
    std::vector<const Action*> all;
    const auto add = [&all](const Action* action) {
        const bool known = std::any_of(all.begin(), all.end(), [&](const Action* a) {
            return a->id() == action->id();
        });
        if (!known)
            all.push_back(action);
    };
    for (Kind kind : allKinds) {
        for (const Layout* layout : allLayouts()) {
            if (layout->kind() != kind)
                continue;
            for (const Action* action : actionsFor(*layout)) {
                if (!action->id().startsWith("key."))
                    add(action);
            }
        }
    }
    add(&actions::setTtl());
    add(&actions::deleteKeys());
    return all;
}

Result<ActInvocation> parseAct(QStringList words, const QString& passwordVariable)
{
    Result<ActInvocation> result = Parser(std::move(words)).parse();
    if (result && result->url.password.isEmpty())
        result->url.password = passwordVariable;
    return result;
}

QString actHelpText()
{
    QString text = Text::tr(
        "Takes one step: planned, shown, guarded on the server, sent once, journaled, undoable.\n"
        "\n"
        "Usage:\n");
    for (const Action* action : knownActions()) {
        QStringList words{QStringLiteral("  act URL"),
                          QString::fromLatin1(action->id()).replace(QLatin1Char('.'), QLatin1Char(' '))};
        if (action->needsTarget())
            words << QStringLiteral("NAME");
        for (const ActionParameter& p : parametersOf(action->id())) {
            if (p.type != Type::Items)
                words << parameterText(p);
        }
        text += words.join(QLatin1Char(' ')) + QStringLiteral("\n        ") + action->summary()
                + QLatin1Char('\n');
    }
    text += Text::tr(
        "  act URL queue watch NAME [--for 10m] [--older-than 30s]\n"
        "        put items back that are stuck in processing, again and again, one watcher at a time\n"
        "  act URL undo RECEIPT|GROUP\n"
        "        take a step back, if nothing has touched it since\n"
        "  act URL journal [--json]\n"
        "        what was done on that server from this account\n"
        "\n"
        "Every step takes:\n"
        "  --dry-run          print the plan and do nothing\n"
        "  --yes              do not ask; without it and without a terminal nothing is done\n"
        "  --reason TEXT      goes into the journal; required with --environment production\n"
        "  --json             print the receipt as one line of JSON\n"
        "  --config FILE      what Redis does not hold; ~/.config/lockkeeper/lockkeeper.toml unless\n"
        "                     given\n"
        "  --payload-file F, --owner-file F   the value from a file; --payload - and --owner -\n"
        "                     from standard input: arguments can be read by others\n"
        "\n"
        "Example:\n"
        "  lockkeeper act redis://127.0.0.1:6379/0 lock release lock:invoice:42 --owner host1 --dry-run\n"
        "\n"
        "Names are written as snapshot shows them, with \\xNN for bytes that are no text.\n"
        "Exit codes: 0 done, 1 conflict, refused or outcome unknown, 2 wrong use or no connection.\n");
    return text;
}

} // namespace lk
