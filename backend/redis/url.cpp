// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/url.h"

#include "backend/redis/urloptions.h"
#include "backend/redis/urltext.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>

namespace lk {

namespace {

using namespace urltext;

struct ServerUrlText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerUrl)
};

constexpr int longestSocketPath = 107; // bytes: sun_path without its terminating zero

using Checked = Result<void>;
using Deployment = ServerUrl::Deployment;
using Scheme = ServerUrl::Scheme;

struct SchemeWord
{
    const char* word;
    Scheme scheme;
    Deployment deployment;
};
constexpr SchemeWord schemes[] = {
    {"redis", Scheme::Tcp, Deployment::Detect},
    {"rediss", Scheme::Tls, Deployment::Detect},
    {"unix", Scheme::Unix, Deployment::Detect},
    {"redis+unix", Scheme::Unix, Deployment::Detect},
    {"redis-sentinel", Scheme::Tcp, Deployment::Sentinel},
    {"rediss-sentinel", Scheme::Tls, Deployment::Sentinel},
    {"redis-cluster", Scheme::Tcp, Deployment::Cluster},
    {"rediss-cluster", Scheme::Tls, Deployment::Cluster},
};

QLatin1String schemeWord(const ServerUrl& url)
{
    const Deployment written =
        url.deployment == Deployment::Node ? Deployment::Detect : url.deployment;
    const auto* const found =
        std::find_if(std::begin(schemes), std::end(schemes), [&](const SchemeWord& s) {
            return s.scheme == url.scheme && s.deployment == written;
        });
    return QLatin1String(found == std::end(schemes) ? "redis" : found->word);
}

Checked readUserInfo(ServerUrl& url, QStringView text)
{
    const qsizetype colon = text.indexOf(QLatin1Char(':'));
    const std::optional<QString> user = decoded(colon < 0 ? text : text.left(colon));
    const std::optional<QString> password = colon < 0 ? QString() : decoded(text.mid(colon + 1));
    if (!user || !password || text.contains(QLatin1Char('@')))
        return unencoded();
    url.user = *user;
    url.password = *password;
    return {};
}

Checked readAddresses(ServerUrl& url, QStringView text)
{
    const QList<QStringView> parts = text.split(QLatin1Char(','));
    const bool several =
        url.deployment == Deployment::Sentinel || url.deployment == Deployment::Cluster;
    if (parts.size() > 1 && !several)
        return bad(ServerUrlText::tr(
            "only redis-sentinel:// and redis-cluster:// take several addresses"));
    const quint16 port = url.deployment == Deployment::Sentinel ? ServerUrl::defaultSentinelPort
                                                                : ServerUrl::defaultPort;
    for (QStringView part : parts) {
        const Result<ServerUrl::Address> read = address(part, port);
        if (!read)
            return tl::unexpected<Error>(read.error());
        if (part.data() != parts.front().data()) {
            url.others.push_back(*read);
            continue;
        }
        url.host = read->host;
        url.port = read->port;
    }
    return {};
}

Checked readSocketPath(ServerUrl& url, QStringView text)
{
    const std::optional<QString> path = decoded(text);
    if (!path)
        return bad(ServerUrlText::tr("write a % in the socket's path as %25"));
    if (path->size() < 2 || !path->startsWith(QLatin1Char('/')))
        return bad(
            ServerUrlText::tr("the socket's path is missing; use unix:///path/to/redis.sock"));
    if (std::any_of(path->begin(), path->end(), isControl))
        return bad(ServerUrlText::tr("the socket's path contains a control character"));
    if (QFile::encodeName(*path).size() > longestSocketPath)
        return bad(
            ServerUrlText::tr("the socket's path is longer than %1 bytes, the system's limit")
                .arg(longestSocketPath));
    url.path = *path;
    url.host.clear();
    url.port = 0;
    return {};
}

Checked readMasterName(ServerUrl& url, QStringView text)
{
    const std::optional<QString> name = decoded(text);
    if (!name || name->isEmpty())
        return bad(ServerUrlText::tr("the master's name is missing, as in "
                                     "redis-sentinel://host:26379/mymaster"));
    const bool plain = std::all_of(name->begin(), name->end(), [](QChar c) {
        return c > QLatin1Char(' ') && c <= QLatin1Char('~') && c != QLatin1Char('/');
    });
    if (!plain)
        return bad(
            ServerUrlText::tr("the master's name must be visible ASCII characters without spaces "
                              "and slashes"));
    url.masterName = *name;
    return {};
}

// Removes the group's name from the front. "/db" or nothing remains.
Checked takeMasterName(ServerUrl& url, QStringView& path)
{
    if (url.deployment != Deployment::Sentinel)
        return {};
    const QStringView name = path.mid(1);
    const qsizetype slash = name.indexOf(QLatin1Char('/'));
    path = slash < 0 ? QStringView() : name.mid(slash);
    return readMasterName(url, slash < 0 ? name : name.left(slash));
}

// Reads the text after "scheme://".
Checked readRest(ServerUrl& url, QStringView rest)
{
    const qsizetype question = rest.indexOf(QLatin1Char('?'));
    const QStringView main = question < 0 ? rest : rest.left(question);
    const QStringView options = question < 0 ? QStringView() : rest.mid(question + 1);
    const qsizetype slash = main.indexOf(QLatin1Char('/'));
    const QStringView authority = slash < 0 ? main : main.left(slash);
    QStringView path = slash < 0 ? QStringView() : main.mid(slash);
    const bool socket = url.scheme == Scheme::Unix;

    // An "@" after the first slash: the slash is probably part of a password.
    if (path.contains(QLatin1Char('@')) && (!socket || !authority.isEmpty()))
        return unencoded();
    const qsizetype at = authority.lastIndexOf(QLatin1Char('@'));
    Checked read;
    if (at >= 0)
        read = readUserInfo(url, authority.left(at));
    const QStringView host = authority.mid(at + 1);
    if (read)
        read = takeMasterName(url, path);
    if (read)
        read = readOptions(url, options, !socket && path.size() > 1);
    if (read && !socket)
        read = readAddresses(url, host);
    if (read && socket)
        return host.isEmpty()
                   ? readSocketPath(url, path)
                   : bad(ServerUrlText::tr("the socket's path must begin with a slash, as in "
                                           "unix:///path/to/redis.sock"));
    if (read && path.size() > 1)
        read = readDatabase(url, path.mid(1));
    return read;
}

// Removes the scheme from the front of the text.
Checked readScheme(ServerUrl& url, QStringView& text)
{
    const qsizetype colon = text.indexOf(QLatin1String("://"));
    if (colon < 0) {
        if (text.startsWith(QLatin1Char('/')))
            url.scheme = Scheme::Unix;
        return {};
    }
    const QString word = text.left(colon).toString().toLower();
    text = text.mid(colon + 3);
    for (const SchemeWord& known : schemes) {
        if (word != QLatin1String(known.word))
            continue;
        url.scheme = known.scheme;
        url.deployment = known.deployment;
        return {};
    }
    return bad(
        ServerUrlText::tr("it must begin with redis://, rediss://, unix://, redis-sentinel://, "
                          "redis-cluster:// or ssh://"));
}

constexpr QLatin1String sshScheme("ssh://");

// Reads "[user@]jump[:port]/ADDRESS" after the scheme.
Result<ServerUrl> readBehindJump(QStringView text)
{
    const qsizetype slash = text.indexOf(QLatin1Char('/'));
    const QStringView behind = slash < 0 ? QStringView() : text.mid(slash + 1);
    const Result<JumpHost> jump = jumpHost(slash < 0 ? text : text.left(slash));
    if (!jump)
        return tl::unexpected<Error>(jump.error());
    Result<ServerUrl> url =
        behind.isEmpty() ? Result<ServerUrl>(ServerUrl()) : parseServerUrl(behind.toString());
    if (!url)
        return url;
    if (!url->sshJump.isEmpty())
        return bad(ServerUrlText::tr("the jump host is given twice"));
    if (url->scheme == Scheme::Unix)
        return bad(
            ServerUrlText::tr("a unix socket cannot be reached through ssh; give the server's "
                              "host:port as the jump host reaches it"));
    url->sshJump = (slash < 0 ? text : text.left(slash)).toString();
    return url;
}

} // namespace

Result<ServerUrl> parseServerUrl(const QString& text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return bad(ServerUrlText::tr("it is empty"));
    if (std::any_of(trimmed.begin(), trimmed.end(), isControl))
        return bad(ServerUrlText::tr("it contains a control character"));
    if (trimmed.startsWith(sshScheme, Qt::CaseInsensitive))
        return readBehindJump(QStringView(trimmed).mid(sshScheme.size()));
    ServerUrl url;
    QStringView rest(trimmed);
    if (const Checked scheme = readScheme(url, rest); !scheme)
        return tl::unexpected<Error>(scheme.error());
    if (rest.contains(QLatin1Char('#')))
        return bad(ServerUrlText::tr("write # as %23"));
    if (const Checked read = readRest(url, rest); !read)
        return tl::unexpected<Error>(read.error());
    return url;
}

QString ServerUrl::Address::text() const
{
    const QString shown =
        host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host;
    return shown + QLatin1Char(':') + QString::number(port);
}

std::vector<ServerUrl::Address> ServerUrl::addresses() const
{
    std::vector<Address> all{{host, port}};
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

ServerUrl::Address ServerUrl::mapped(const Address& announced) const
{
    const auto found = std::find_if(addressMap.begin(), addressMap.end(),
                                    [&](const auto& pair) { return pair.first == announced; });
    return found == addressMap.end() ? announced : found->second;
}

ServerUrl ServerUrl::at(const Address& announced) const
{
    const Address reached = mapped(announced);
    ServerUrl url = *this;
    url.scheme = scheme == Scheme::Tls ? Scheme::Tls : Scheme::Tcp;
    url.deployment = Deployment::Node;
    url.host = reached.host;
    url.port = reached.port;
    url.path.clear();
    url.others.clear();
    url.masterName.clear();
    url.sentinelUser.clear();
    url.sentinelPassword.clear();
    return url;
}

ServerUrl ServerUrl::sentinelAt(const Address& reached) const
{
    ServerUrl url = at(reached);
    url.host = reached.host;
    url.port = reached.port;
    url.user = sentinelUser;
    url.password = sentinelPassword;
    url.database = 0;
    return url;
}

QString ServerUrl::endpoint() const
{
    QString shown = scheme == Scheme::Unix ? path : Address{host, port}.text();
    if (deployment == Deployment::Sentinel)
        shown += QLatin1Char('/') + masterName;
    return shown + QLatin1Char('/') + QString::number(database);
}

QString ServerUrl::withoutPassword() const
{
    QString result = schemeWord(*this) + QLatin1String("://");
    if (!user.isEmpty())
        result += encoded(user) + QLatin1Char('@');
    QStringList options;
    if (scheme == Scheme::Unix) {
        result += encoded(path, "/");
        if (database != 0)
            options << QStringLiteral("db=%1").arg(database);
    } else {
        QStringList reached;
        for (const Address& each : addresses())
            reached << each.text();
        result += reached.join(QLatin1Char(','));
        if (deployment == Deployment::Sentinel)
            result += QLatin1Char('/') + encoded(masterName);
        result += QLatin1Char('/') + QString::number(database);
    }
    options += optionTexts(*this);
    return options.isEmpty() ? result : result + QLatin1Char('?') + options.join(QLatin1Char('&'));
}

} // namespace lk
