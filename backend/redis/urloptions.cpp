// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/urloptions.h"

#include "backend/redis/urltext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk::urltext {

namespace {

using Checked = Result<void>;
using Deployment = ServerUrl::Deployment;

struct UrlOptionsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerUrl)
};

enum class For : quint8 { Any, Tls, Sentinel, Network };

struct TextOption
{
    const char* name;
    QString ServerUrl::*field;
    For what;
};
constexpr TextOption textOptions[] = {
    {"ca", &ServerUrl::caFile, For::Tls},
    {"cert", &ServerUrl::certFile, For::Tls},
    {"key", &ServerUrl::keyFile, For::Tls},
    {"sni", &ServerUrl::serverName, For::Tls},
    {"sentinel_user", &ServerUrl::sentinelUser, For::Sentinel},
    {"sentinel_password", &ServerUrl::sentinelPassword, For::Sentinel},
    {"ssh", &ServerUrl::sshJump, For::Network},
    {"name", &ServerUrl::clientName, For::Any}};

const TextOption* textOption(QStringView key)
{
    const auto* const end = std::end(textOptions);
    const auto* const found = std::find_if(std::begin(textOptions), end, [key](const auto& o) {
        return key == QLatin1String(o.name);
    });
    return found == end ? nullptr : found;
}

bool isOption(QStringView key)
{
    return textOption(key) || key == QLatin1String("db") || key == QLatin1String("cluster") ||
           key == QLatin1String("map");
}

// Servers refuse any other client name.
bool isVisibleAscii(const QString& text)
{
    return std::all_of(text.begin(), text.end(),
                       [](QChar c) { return c > QLatin1Char(' ') && c <= QLatin1Char('~'); });
}

Checked readText(ServerUrl& url, const TextOption& option, const QString& value)
{
    const QString name = QLatin1String(option.name);
    if (option.what == For::Tls && url.scheme != ServerUrl::Scheme::Tls)
        return bad(UrlOptionsText::tr("the option %1 is for TLS only, as in rediss://").arg(name));
    if (option.what == For::Sentinel && url.deployment != Deployment::Sentinel)
        return bad(UrlOptionsText::tr("the option %1 is for redis-sentinel:// only").arg(name));
    if (option.what == For::Network && url.scheme == ServerUrl::Scheme::Unix)
        return bad(UrlOptionsText::tr("the option %1 is not for unix://, a path on this machine")
                       .arg(name));
    if (option.field == &ServerUrl::sshJump) {
        if (!url.sshJump.isEmpty())
            return bad(UrlOptionsText::tr("the jump host is given twice"));
        if (const Result<JumpHost> jump = jumpHost(value); !jump)
            return tl::unexpected<Error>(jump.error());
    }
    if (option.field == &ServerUrl::clientName && !isVisibleAscii(value))
        return bad(
            UrlOptionsText::tr("the option name must be visible ASCII characters without spaces"));
    url.*option.field = value;
    return {};
}

Checked readCluster(ServerUrl& url, const QString& value)
{
    if (url.deployment != Deployment::Detect)
        return bad(
            UrlOptionsText::tr("the option cluster is for redis://, rediss:// and unix:// only"));
    if (value != QLatin1String("no"))
        return bad(
            UrlOptionsText::tr("the option cluster must be no: this node alone; otherwise leave it "
                               "out, or begin with redis-cluster://"));
    url.deployment = Deployment::Node;
    return {};
}

Checked readMap(ServerUrl& url, const QString& value)
{
    const QList<QStringView> pairs = QStringView(value).split(QLatin1Char(','));
    for (QStringView pair : pairs) {
        const QList<QStringView> ends = pair.split(QLatin1Char('='));
        const auto from = ends.size() == 2 ? address(ends[0], 0) : bad({});
        const auto to = ends.size() == 2 ? address(ends[1], 0) : bad({});
        if (!from || !to)
            return bad(UrlOptionsText::tr(
                "the option map must be pairs of announced and reachable address, "
                "as in map=10.0.0.5:6379=127.0.0.1:7001,10.0.0.6:6379="
                "127.0.0.1:7002"));
        if (url.mapped(*from) != *from)
            return bad(UrlOptionsText::tr("the option map has %1 twice").arg(from->text()));
        url.addressMap.emplace_back(*from, *to);
    }
    return {};
}

Checked readOption(ServerUrl& url, QStringView key, QStringView value)
{
    const std::optional<QString> plain = decoded(value);
    if (!plain)
        return bad(UrlOptionsText::tr("write a % in the value of an option as %25"));
    if (key == QLatin1String("db"))
        return readDatabase(url, *plain);
    if (std::any_of(plain->begin(), plain->end(), isControl) || plain->isEmpty())
        return bad(
            UrlOptionsText::tr("the option %1 needs a value without control characters").arg(key));
    if (const TextOption* option = textOption(key))
        return readText(url, *option, *plain);
    return key == QLatin1String("map") ? readMap(url, *plain) : readCluster(url, *plain);
}

} // namespace

Checked readDatabase(ServerUrl& url, QStringView text)
{
    const std::optional<int> number = digits(text, 1'000'000);
    if (!number)
        return bad(UrlOptionsText::tr("the database must be a number, as in /0"));
    url.database = *number;
    return {};
}

Checked readOptions(ServerUrl& url, QStringView text, bool databaseGiven)
{
    const QList<QStringView> options = text.split(QLatin1Char('&'), Qt::SkipEmptyParts);
    for (QStringView option : options) {
        const qsizetype equals = option.indexOf(QLatin1Char('='));
        const QStringView key = equals < 0 ? option : option.left(equals);
        // Not repeated in the error: after an unencoded "?" it may be the rest of a password.
        if (!isOption(key)) {
            if (option.contains(QLatin1Char('@')))
                return unencoded();
            return bad(UrlOptionsText::tr(
                "unknown option; known: db, name, ca, cert, key, sni, cluster, map, "
                "ssh, sentinel_user and sentinel_password"));
        }
        if (key == QLatin1String("db") && databaseGiven)
            return bad(UrlOptionsText::tr("the database is given twice"));
        if (const Checked read = readOption(url, key, option.mid(key.size() + 1)); !read)
            return read;
        databaseGiven |= key == QLatin1String("db");
    }
    if (!url.keyFile.isEmpty() && url.certFile.isEmpty())
        return bad(UrlOptionsText::tr("the option key needs cert, its certificate"));
    return {};
}

QStringList optionTexts(const ServerUrl& url)
{
    QStringList options;
    for (const auto& [name, field, what] : textOptions) {
        const QString& value = url.*field;
        if (!value.isEmpty() && field != &ServerUrl::sentinelPassword)
            options << QLatin1String(name) + QLatin1Char('=') +
                           encoded(value, field == &ServerUrl::sshJump ? "@:[]" : "/");
    }
    if (url.deployment == Deployment::Node)
        options << QStringLiteral("cluster=no");
    QStringList pairs;
    for (const auto& [announced, reached] : url.addressMap)
        pairs << announced.text() + QLatin1Char('=') + reached.text();
    if (!pairs.isEmpty())
        options << QLatin1String("map=") + encoded(pairs.join(QLatin1Char(',')), ",=[]:");
    return options;
}

} // namespace lk::urltext
