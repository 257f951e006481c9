// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/url.h"

#include <QCoreApplication>
#include <QFile>
#include <QHostAddress>
#include <QRegularExpression>
#include <QStringDecoder>
#include <QUrl>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerUrl)
};

constexpr int longestSocketPath = 107; // bytes: sun_path without its final zero

using Parsed = Result<ServerUrl>;
using Checked = Result<void>;

tl::unexpected<Error> bad(const QString& what)
{
    return failure(ErrorCode::BadUrl, what);
}

tl::unexpected<Error> unencoded()
{
    return bad(Text::tr("the user name or password contains a special character; write @ as %40, "
                        "/ as %2F, ? as %3F, # as %23, : as %3A and % as %25"));
}

bool isControl(QChar c)
{
    return c.unicode() < 0x20 || c.unicode() == 0x7F;
}

std::optional<QString> decoded(QStringView text)
{
    static const QRegularExpression broken(QStringLiteral("%(?![0-9A-Fa-f]{2})"));
    if (broken.match(text.toString()).hasMatch())
        return {};
    QStringDecoder utf8(QStringDecoder::Utf8);
    QString result = utf8(QByteArray::fromPercentEncoding(text.toUtf8()));
    return utf8.hasError() ? std::nullopt : std::optional(std::move(result));
}

std::optional<int> digits(QStringView text, int largest)
{
    const bool plain = !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar c) {
        return c >= QLatin1Char('0') && c <= QLatin1Char('9');
    });
    bool ok = false;
    const int number = text.toInt(&ok);
    return plain && ok && number <= largest ? std::optional(number) : std::nullopt;
}

Checked readDatabase(ServerUrl& url, QStringView text)
{
    const std::optional<int> number = digits(text, 1'000'000);
    if (!number)
        return bad(Text::tr("the database must be a number, as in /0"));
    url.database = *number;
    return {};
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

bool isHostName(QStringView host)
{
    return std::all_of(host.begin(), host.end(), [](QChar c) {
        return c.isLetterOrNumber() || c == QLatin1Char('.') || c == QLatin1Char('-') ||
               c == QLatin1Char('_');
    });
}

Checked readHostPort(ServerUrl& url, QStringView text)
{
    qsizetype colon = text.indexOf(QLatin1Char(':'));
    if (text.startsWith(QLatin1Char('['))) {
        const qsizetype close = text.indexOf(QLatin1Char(']'));
        colon = close + 1;
        url.host = text.mid(1, close - 1).toString();
        QHostAddress address;
        if (close < 0 || !address.setAddress(url.host) ||
            address.protocol() != QAbstractSocket::IPv6Protocol ||
            (colon < text.size() && text[colon] != QLatin1Char(':')))
            return bad(Text::tr("the text in brackets is not an IPv6 address"));
        if (colon == text.size())
            return {};
    } else if (text.count(QLatin1Char(':')) > 1) {
        return bad(Text::tr("write an IPv6 address in brackets, as in [::1]:6379"));
    } else {
        url.host = (colon < 0 ? text : text.left(colon)).toString();
        if (url.host.isEmpty())
            return bad(Text::tr("the host is missing"));
        if (!isHostName(url.host))
            return bad(Text::tr("the host name contains an invalid character"));
        if (colon < 0)
            return {};
    }
    const std::optional<int> port = digits(text.mid(colon + 1), 65535);
    if (!port || *port == 0)
        return bad(Text::tr("the port must be a number from 1 to 65535"));
    url.port = quint16(*port);
    return {};
}

struct TlsOption
{
    const char* name;
    QString ServerUrl::*field;
};
constexpr TlsOption tlsOptions[] = {{"ca", &ServerUrl::caFile},
                                    {"cert", &ServerUrl::certFile},
                                    {"key", &ServerUrl::keyFile},
                                    {"sni", &ServerUrl::serverName}};

bool isOption(QStringView key)
{
    return key == QLatin1String("db") || key == QLatin1String("name") ||
           std::any_of(std::begin(tlsOptions), std::end(tlsOptions),
                       [key](const TlsOption& o) { return key == QLatin1String(o.name); });
}

Checked readOption(ServerUrl& url, QStringView key, QStringView value)
{
    const std::optional<QString> plain = decoded(value);
    if (!plain)
        return bad(Text::tr("write a % in the value of an option as %25"));
    if (key == QLatin1String("db"))
        return readDatabase(url, *plain);
    if (std::any_of(plain->begin(), plain->end(), isControl) || plain->isEmpty())
        return bad(Text::tr("the option %1 needs a value without control characters").arg(key));
    for (const auto& [name, field] : tlsOptions) {
        if (key != QLatin1String(name))
            continue;
        if (url.scheme != ServerUrl::Scheme::Tls)
            return bad(Text::tr("the option %1 is for rediss:// only").arg(key));
        url.*field = *plain;
        return {};
    }
    const bool nameable = std::all_of(plain->begin(), plain->end(), [](QChar c) {
        return c > QLatin1Char(' ') && c <= QLatin1Char('~');
    });
    if (!nameable) // the server refuses any other
        return bad(Text::tr("the option name must be visible ASCII characters without spaces"));
    url.clientName = *plain;
    return {};
}

Checked readOptions(ServerUrl& url, QStringView text, bool databaseGiven)
{
    const QList<QStringView> options = text.split(QLatin1Char('&'), Qt::SkipEmptyParts);
    for (QStringView option : options) {
        const qsizetype equals = option.indexOf(QLatin1Char('='));
        const QStringView key = equals < 0 ? option : option.left(equals);
        // Not repeated here: behind an unencoded "?" it may be the rest of a password.
        if (!isOption(key))
            return option.contains(QLatin1Char('@'))
                       ? unencoded()
                       : Checked(bad(Text::tr("unknown option; known: db, name, ca, cert, key and "
                                              "sni")));
        if (key == QLatin1String("db") && databaseGiven)
            return bad(Text::tr("the database is given twice"));
        if (const Checked read = readOption(url, key, option.mid(key.size() + 1)); !read)
            return read;
        databaseGiven |= key == QLatin1String("db");
    }
    if (!url.keyFile.isEmpty() && url.certFile.isEmpty())
        return bad(Text::tr("the option key needs cert, its certificate"));
    return {};
}

Checked readSocketPath(ServerUrl& url, QStringView text)
{
    const std::optional<QString> path = decoded(text);
    if (!path)
        return bad(Text::tr("write a % in the socket's path as %25"));
    if (path->size() < 2 || !path->startsWith(QLatin1Char('/')))
        return bad(Text::tr("the socket's path is missing; use unix:///path/to/redis.sock"));
    if (std::any_of(path->begin(), path->end(), isControl))
        return bad(Text::tr("the socket's path contains a control character"));
    if (QFile::encodeName(*path).size() > longestSocketPath)
        return bad(Text::tr("the socket's path is longer than %1 bytes, the system's limit")
                       .arg(longestSocketPath));
    url.path = *path;
    url.host.clear();
    url.port = 0;
    return {};
}

// Everything behind "scheme://".
Checked readRest(ServerUrl& url, QStringView rest)
{
    const qsizetype question = rest.indexOf(QLatin1Char('?'));
    const QStringView main = question < 0 ? rest : rest.left(question);
    const QStringView options = question < 0 ? QStringView() : rest.mid(question + 1);
    const qsizetype slash = main.indexOf(QLatin1Char('/'));
    const QStringView authority = slash < 0 ? main : main.left(slash);
    const QStringView path = slash < 0 ? QStringView() : main.mid(slash);
    const bool socket = url.scheme == ServerUrl::Scheme::Unix;

    // An "@" behind the first slash: the slash is most likely part of a password.
    if (path.contains(QLatin1Char('@')) && (!socket || !authority.isEmpty()))
        return unencoded();
    const qsizetype at = authority.lastIndexOf(QLatin1Char('@'));
    Checked read;
    if (at >= 0)
        read = readUserInfo(url, authority.left(at));
    if (read)
        read = readOptions(url, options, !socket && path.size() > 1);
    const QStringView host = authority.mid(at + 1);
    if (read && socket)
        return host.isEmpty() ? readSocketPath(url, path)
                              : bad(Text::tr("the socket's path must begin with a slash, as in "
                                             "unix:///path/to/redis.sock"));
    if (read)
        read = readHostPort(url, host);
    if (read && path.size() > 1)
        read = readDatabase(url, path.mid(1));
    return read;
}

// Takes the scheme off the front of the text.
Checked readScheme(ServerUrl& url, QStringView& text)
{
    const qsizetype colon = text.indexOf(QLatin1String("://"));
    if (colon < 0) {
        if (text.startsWith(QLatin1Char('/')))
            url.scheme = ServerUrl::Scheme::Unix;
        return {};
    }
    const QString scheme = text.left(colon).toString().toLower();
    text = text.mid(colon + 3);
    if (scheme == QLatin1String("redis"))
        url.scheme = ServerUrl::Scheme::Tcp;
    else if (scheme == QLatin1String("rediss"))
        url.scheme = ServerUrl::Scheme::Tls;
    else if (scheme == QLatin1String("unix") || scheme == QLatin1String("redis+unix"))
        url.scheme = ServerUrl::Scheme::Unix;
    else
        return bad(Text::tr("it must begin with redis://, rediss:// or unix://"));
    return {};
}

QString encoded(const QString& text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

} // namespace

Parsed parseServerUrl(const QString& text)
{
    const QString trimmed = text.trimmed();
    if (trimmed.isEmpty())
        return bad(Text::tr("it is empty"));
    if (std::any_of(trimmed.begin(), trimmed.end(), isControl))
        return bad(Text::tr("it contains a control character"));
    ServerUrl url;
    QStringView rest(trimmed);
    if (const Checked scheme = readScheme(url, rest); !scheme)
        return tl::unexpected<Error>(scheme.error());
    if (rest.contains(QLatin1Char('#')))
        return bad(Text::tr("write # as %23"));
    if (const Checked read = readRest(url, rest); !read)
        return tl::unexpected<Error>(read.error());
    return url;
}

QString ServerUrl::endpoint() const
{
    const QString db = QLatin1Char('/') + QString::number(database);
    if (scheme == Scheme::Unix)
        return path + db;
    const QString shownHost =
        host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host;
    return shownHost + QLatin1Char(':') + QString::number(port) + db;
}

QString ServerUrl::withoutPassword() const
{
    const QString login = user.isEmpty() ? QString() : encoded(user) + QLatin1Char('@');
    QStringList options;
    QString result;
    if (scheme == Scheme::Unix) {
        result = QLatin1String("unix://") + login +
                 QString::fromLatin1(QUrl::toPercentEncoding(path, "/"));
        if (database != 0)
            options << QStringLiteral("db=%1").arg(database);
    } else {
        result = (scheme == Scheme::Tls ? QLatin1String("rediss://") : QLatin1String("redis://")) +
                 login + endpoint();
    }
    for (const auto& [name, field] : tlsOptions) {
        if (const QString& value = this->*field; !value.isEmpty())
            options << QLatin1String(name) + QLatin1Char('=') +
                           QString::fromLatin1(QUrl::toPercentEncoding(value, "/"));
    }
    if (!clientName.isEmpty())
        options << QLatin1String("name=") + encoded(clientName);
    return options.isEmpty() ? result : result + QLatin1Char('?') + options.join(QLatin1Char('&'));
}

} // namespace lk
