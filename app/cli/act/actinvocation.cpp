// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/actinvocation.h"

#include "app/cli/act/actcommands.h"
#include "app/cli/commandoptions.h"
#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"

#include <algorithm>

namespace lk {

namespace {

struct ActInvocationText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ActInvocation)
};

using What = ActInvocation::What;
using Type = ActionParameter::Type;

constexpr qint64 longestAutoRequeueMs = 24LL * 3600 * 1000;

bool kindsHave(const QByteArray& kind)
{
    const auto all = knownActions();
    return std::any_of(all.begin(), all.end(),
                       [&](const Action* a) { return a->id().startsWith(kind + '.'); });
}

// First the words, which name the action, then the options, which differ between the actions.
class Reader
{
public:
    Result<ActInvocation> read(const QStringList& arguments)
    {
        const Result<CommandLine> all = parseCommand(actSpec(), arguments);
        if (!all)
            return tl::unexpected(all.error());
        m_words = all->words;
        if (all->isSet(QStringLiteral("help"))) {
            m_result.what = What::Help;
            m_result.action = helpTopic();
            return m_result;
        }
        readWords();
        if (m_error)
            return tl::unexpected(*m_error);
        const Result<CommandLine> own = parseCommand(actSpec(specName()), arguments);
        if (!own)
            return tl::unexpected(own.error());
        readOptions(*own);
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

    // "act lock release --help", with or without an address.
    QByteArray helpTopic() const
    {
        for (qsizetype i = 0; i < m_words.size(); ++i) {
            const QByteArray word = m_words[i].toLatin1();
            const QByteArray action = word + '.' + m_words.value(i + 1).toLatin1();
            if (action == "queue.auto-requeue" || knownAction(action))
                return action;
            if (word == "undo" || word == "journal")
                return word;
        }
        return {};
    }

    QByteArray specName() const
    {
        switch (m_result.what) {
        case What::Undo:
            return "undo";
        case What::Journal:
            return "journal";
        case What::Step:
        case What::AutoRequeue:
        case What::Help:
            break;
        }
        return m_result.action;
    }

    QString take(const QString& missing)
    {
        if (m_words.isEmpty()) {
            fail(missing);
            return {};
        }
        return m_words.takeFirst();
    }

    void readWords()
    {
        const QString address =
            take(ActInvocationText::tr("act needs the address of a server; see act --help"));
        if (m_error)
            return;
        if (const Result<ServerUrl> url = parseServerUrl(address))
            m_result.url = *url;
        else
            m_error = url.error();
        const QString what =
            take(ActInvocationText::tr("act needs a kind and a verb; act --help lists all"));
        if (m_error)
            return;
        if (what == QLatin1String("undo")) {
            m_result.what = What::Undo;
            m_result.receipt = take(ActInvocationText::tr("undo needs a receipt")).toLatin1();
        } else if (what == QLatin1String("journal")) {
            m_result.what = What::Journal;
        } else {
            readAction(what.toLatin1());
        }
        if (!m_words.isEmpty() && !m_error)
            m_error = unexpectedArgument(m_words.front());
    }

    void readAction(const QByteArray& kind)
    {
        if (!kindsHave(kind))
            return fail(ActInvocationText::tr("Unknown kind %1; act --help lists all")
                            .arg(displayName(kind)));
        const QByteArray verb = take(ActInvocationText::tr("%1 needs a verb; act --help lists all")
                                         .arg(QString::fromLatin1(kind)))
                                    .toLatin1();
        if (m_error)
            return;
        m_result.action = kind + '.' + verb;
        if (m_result.action == "queue.auto-requeue") {
            m_result.what = What::AutoRequeue;
            m_result.name =
                bytesFromDisplay(take(ActInvocationText::tr("queue auto-requeue needs a name")));
            return;
        }
        const Action* action = knownAction(m_result.action);
        if (!action)
            return fail(ActInvocationText::tr("%1 has no verb %2; act --help lists all")
                            .arg(QString::fromLatin1(kind), displayName(verb)));
        if (action->needsTarget())
            m_result.name = bytesFromDisplay(
                take(ActInvocationText::tr("%1 %2 needs a name")
                         .arg(QString::fromLatin1(kind), QString::fromLatin1(verb))));
    }

    void readOptions(const CommandLine& line)
    {
        m_result.dryRun = line.isSet(QStringLiteral("dry-run"));
        m_result.yes = line.isSet(QStringLiteral("yes"));
        m_result.json = line.isSet(QStringLiteral("json"));
        m_result.reason = line.value(QStringLiteral("reason"));
        m_result.undoKey = line.value(QStringLiteral("undo-key"));
        m_result.configFile = line.value(QStringLiteral("config"));
        m_result.environment = line.value(QStringLiteral("environment"));
        if (const auto pace = paceOf(line))
            m_result.pace = *pace;
        else
            m_error = pace.error();
        if (m_result.json && m_result.dryRun)
            fail(ActInvocationText::tr("--json is for receipts; a plan is printed as text"));
        if (m_result.what == What::AutoRequeue) {
            for (const char* name : {"for", "older-than"})
                readLength(line, QLatin1String(name));
        } else if (m_result.what == What::Step) {
            for (const ActionParameter& p : parametersOf(m_result.action))
                readParameter(line, p);
        }
    }

    void readLength(const CommandLine& line, const QString& name)
    {
        if (!line.isSet(name))
            return;
        const Result<qint64> ms = parseDuration(line.value(name));
        if (!ms || *ms < 1 || *ms > longestAutoRequeueMs)
            return fail(ActInvocationText::tr("--%1 takes a duration from 1ms to 1d, such as 30s")
                            .arg(name));
        m_result.request.values[name.toLatin1()] = line.value(name).toUtf8();
    }

    void readParameter(const CommandLine& line, const ActionParameter& p)
    {
        const QString name = QString::fromLatin1(p.name);
        const QString file = name + QStringLiteral("-file");
        if (isSensitive(p) && line.isSet(file))
            return readFromFile(p.name, line.value(file));
        if (!line.isSet(name))
            return;
        const QString value = line.value(name);
        if (isSensitive(p) && value == QLatin1String("-"))
            return readFromFile(p.name, value);
        if (isSensitive(p))
            m_result.exposed << p.name;
        m_result.request.values[p.name] =
            p.type == Type::Text ? bytesFromDisplay(value) : value.toUtf8();
    }

    void readFromFile(const QByteArray& name, const QString& path)
    {
        const bool twice =
            std::any_of(m_result.files.begin(), m_result.files.end(),
                        [](const auto& f) { return f.second == QLatin1String("-"); });
        if (path == QLatin1String("-") && twice)
            return fail(ActInvocationText::tr("Only one value can be read from standard input"));
        m_result.files[name] = path;
    }

    QStringList m_words;
    ActInvocation m_result;
    std::optional<Error> m_error;
};

} // namespace

Result<ActInvocation> parseAct(const QStringList& words, const QString& passwordVariable)
{
    Result<ActInvocation> result = Reader().read(words);
    if (result && result->url.password.isEmpty())
        result->url.password = passwordVariable;
    return result;
}

} // namespace lk
