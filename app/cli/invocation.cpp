// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/invocation.h"

#include "app/cli/helptext.h"
#include "backend/text/duration.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Invocation)
};

using Mode = Invocation::Mode;

// Reads the words one after the other; the first thing that is wrong ends it.
class Parser
{
public:
    explicit Parser(QStringList words)
        : m_words(std::move(words))
    {}

    Result<Invocation> parse()
    {
        if (!m_words.isEmpty() && m_words.front() == QLatin1String("act")) {
            m_result.mode = Mode::Act; // has options of its own, which depend on what is done
            m_result.actWords = m_words.mid(1);
            return m_result;
        }
        if (!m_words.isEmpty() && m_words.front() == QLatin1String("help"))
            return help(m_words.mid(1));
        while (!m_words.isEmpty() && !m_error) {
            const QString word = m_words.takeFirst();
            if (word.startsWith(QLatin1Char('-')) && word.size() > 1)
                option(word);
            else
                m_places << word;
        }
        places();
        check();
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

    // "help check" is "check --help".
    Result<Invocation> help(const QStringList& about)
    {
        if (!about.isEmpty() && !helpTopics().contains(about.front()))
            return failure(ErrorCode::BadArgument,
                           Text::tr("Unknown command %1; --help lists all").arg(about.front()));
        const bool act = about.value(0) == QLatin1String("act");
        m_result.mode = act ? Mode::Act : Mode::Help;
        m_result.helpTopic = about.value(0);
        if (act)
            m_result.actWords = {QStringLiteral("--help")};
        return m_result;
    }

    QString value(const QString& name, const QString& inlineValue, bool hasInline)
    {
        if (hasInline)
            return inlineValue;
        if (m_words.isEmpty()) {
            fail(Text::tr("%1 needs a value").arg(name));
            return {};
        }
        return m_words.takeFirst();
    }

    void option(const QString& word)
    {
        const qsizetype equals = word.indexOf(QLatin1Char('='));
        const QString name = word.left(equals);
        const bool hasInline = equals >= 0;
        const QString given = hasInline ? word.mid(equals + 1) : QString();
        const auto next = [&] { return value(name, given, hasInline); };
        if (name == QLatin1String("--help") || name == QLatin1String("-h")) {
            m_result.mode = Mode::Help;
        } else if (name == QLatin1String("--version")) {
            m_result.mode = Mode::Version;
        } else if (name == QLatin1String("--demo")) {
            m_result.demo = true;
        } else if (name == QLatin1String("--config")) {
            m_result.configFile = next();
        } else if (name == QLatin1String("--environment")) {
            m_result.environment = next();
        } else if (name == QLatin1String("--format")) {
            format(next());
        } else if (name == QLatin1String("--fail-on")) {
            failOn(next());
        } else if (name == QLatin1String("--allow-partial")) {
            m_result.allowPartial = true;
        } else if (name == QLatin1String("--timeout")) {
            timeout(next());
        } else if (name == QLatin1String("--theme")) {
            theme(next());
        } else if (name == QLatin1String("--reveal")) {
            m_result.codes = Codes::Revealed;
        } else if (name == QLatin1String("--print-snapshot")) {
            m_result.printSnapshot = true;
        } else {
            fail(Text::tr("Unknown option %1; --help lists all").arg(name));
        }
    }

    void format(const QString& word)
    {
        if (word == QLatin1String("json"))
            m_result.format = Invocation::Format::Json;
        else if (word == QLatin1String("prometheus"))
            m_result.format = Invocation::Format::Prometheus;
        else if (word != QLatin1String("text"))
            fail(Text::tr("--format takes text or json, and with check prometheus"));
        m_formatGiven = true;
    }

    void failOn(const QString& word)
    {
        if (word == QLatin1String("info"))
            m_result.failOn = Finding::Severity::Info;
        else if (word == QLatin1String("error"))
            m_result.failOn = Finding::Severity::Error;
        else if (word != QLatin1String("warning"))
            fail(Text::tr("--fail-on takes info, warning or error"));
        m_failOnGiven = true;
    }

    void timeout(const QString& word)
    {
        constexpr qint64 longest = 24LL * 3600 * 1000; // ms
        const Result<qint64> ms = parseDuration(word);
        if (!ms || *ms <= 0 || *ms > longest)
            fail(Text::tr("--timeout takes a duration up to 24h, as 60s"));
        else
            m_result.timeoutMs = int(*ms);
        m_timeoutGiven = true;
    }

    void theme(const QString& word)
    {
        if (word == QLatin1String("light"))
            m_result.theme = Invocation::Theme::Light;
        else if (word == QLatin1String("dark"))
            m_result.theme = Invocation::Theme::Dark;
        else if (word != QLatin1String("system"))
            fail(Text::tr("--theme takes system, light or dark"));
    }

    // Options may come in any order, and --demo tells what the words mean: they wait for the end.
    void places()
    {
        const QString verb = m_places.value(0);
        const Mode named = verb == QLatin1String("snapshot")      ? Mode::Snapshot
                           : verb == QLatin1String("check")       ? Mode::Check
                           : verb == QLatin1String("screenshots") ? Mode::Screenshots
                                                                  : Mode::Console;
        if (named != Mode::Console) {
            m_places.removeFirst();
            m_result.helpTopic = verb;
            if (m_result.mode == Mode::Console)
                m_result.mode = named;
        }
        const bool pictures = m_result.mode == Mode::Screenshots;
        const bool folderOnly = pictures && m_result.demo && m_places.size() == 1 &&
                                !m_places.front().contains(QLatin1String("://"));
        if (!m_places.isEmpty() && !folderOnly)
            address(m_places.takeFirst());
        if (!m_places.isEmpty() && pictures)
            m_result.directory = m_places.takeFirst();
        if (!m_places.isEmpty()) // not repeated: it may be an address with a password
            fail(Text::tr("There is one argument too many; --help shows what is expected"));
    }

    void address(const QString& word)
    {
        Result<ServerUrl> url = parseServerUrl(word);
        if (url)
            m_result.url = *url;
        else if (!m_error)
            m_error = url.error();
    }

    void check()
    {
        if (m_result.mode == Mode::Help || m_result.mode == Mode::Version) {
            m_error.reset();
            return;
        }
        if (m_result.demo && m_result.url)
            fail(Text::tr("--demo brings its own server; leave the address out"));
        if (m_result.demo && m_result.mode == Mode::Snapshot)
            fail(Text::tr("snapshot needs the address of a server"));
        if (m_result.demo && m_result.mode == Mode::Check)
            fail(Text::tr("check needs the address of a server"));
        if (m_result.mode == Mode::Check && !m_result.url)
            fail(Text::tr("check needs an address, as in: lockkeeper check "
                          "redis://127.0.0.1:6379"));
        if (m_result.mode == Mode::Snapshot && !m_result.url)
            fail(Text::tr("snapshot needs an address, as in: lockkeeper snapshot "
                          "redis://127.0.0.1:6379"));
        if (m_result.mode == Mode::Screenshots &&
            (m_result.directory.isEmpty() || (!m_result.url && !m_result.demo)))
            fail(Text::tr("screenshots needs an address and a folder, as in: lockkeeper "
                          "screenshots redis://127.0.0.1:6379 shots"));
        if (m_formatGiven && m_result.mode != Mode::Snapshot && m_result.mode != Mode::Check)
            fail(Text::tr("--format belongs to snapshot and check"));
        if (m_result.format == Invocation::Format::Prometheus && m_result.mode != Mode::Check)
            fail(Text::tr("--format prometheus belongs to check"));
        if (m_result.codes == Codes::Revealed && m_result.mode != Mode::Snapshot
            && m_result.mode != Mode::Check)
            fail(Text::tr("--reveal belongs to snapshot and check"));
        if (m_failOnGiven && m_result.mode != Mode::Check)
            fail(Text::tr("--fail-on belongs to check"));
        if (m_result.allowPartial && m_result.mode != Mode::Check)
            fail(Text::tr("--allow-partial belongs to check"));
        if (m_timeoutGiven && m_result.mode != Mode::Snapshot && m_result.mode != Mode::Check)
            fail(Text::tr("--timeout belongs to snapshot and check"));
    }

    QStringList m_words;
    QStringList m_places; ///< what is no option: the verb, the address, the folder
    Invocation m_result;
    std::optional<Error> m_error;
    bool m_formatGiven = false;
    bool m_failOnGiven = false;
    bool m_timeoutGiven = false;
};

} // namespace

Result<Invocation> parseArguments(const QStringList& arguments, const QString& passwordVariable)
{
    Result<Invocation> result = Parser(arguments).parse();
    if (result && result->url && result->url->password.isEmpty())
        result->url->password = passwordVariable;
    return result;
}

QString versionText()
{
    return QStringLiteral("lockkeeper " LOCKKEEPER_VERSION);
}

} // namespace lk
