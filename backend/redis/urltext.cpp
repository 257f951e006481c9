// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/urltext.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QRegularExpression>
#include <QStringDecoder>
#include <QUrl>

#include <algorithm>

namespace lk::urltext {

namespace {

struct UrlText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerUrl)
};

bool isHostName(QStringView host)
{
    return std::all_of(host.begin(), host.end(), [](QChar c) {
        return c.isLetterOrNumber() || c == QLatin1Char('.') || c == QLatin1Char('-') ||
               c == QLatin1Char('_');
    });
}

// Returns the length of an IPv6 address with its brackets. Empty if it is none.
std::optional<qsizetype> bracketed(QStringView text)
{
    const qsizetype close = text.indexOf(QLatin1Char(']'));
    QHostAddress parsed;
    if (close < 0 || !parsed.setAddress(text.mid(1, close - 1).toString()) ||
        parsed.protocol() != QAbstractSocket::IPv6Protocol ||
        (close + 1 < text.size() && text[close + 1] != QLatin1Char(':')))
        return {};
    return close + 1;
}

} // namespace

tl::unexpected<Error> bad(const QString& what)
{
    return failure(ErrorCode::BadUrl, what);
}

tl::unexpected<Error> unencoded()
{
    return bad(
        UrlText::tr("the user name or password contains a special character; write @ as %40, "
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

QString encoded(const QString& text, const QByteArray& kept)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text, kept));
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

Result<ServerUrl::Address> address(QStringView text, quint16 port)
{
    ServerUrl::Address address{{}, port};
    qsizetype end = text.indexOf(QLatin1Char(':')); // end of the host; the port follows
    if (text.startsWith(QLatin1Char('['))) {
        const std::optional<qsizetype> length = bracketed(text);
        if (!length)
            return bad(UrlText::tr("the text in brackets is not an IPv6 address"));
        end = *length < text.size() ? *length : -1;
        address.host = text.mid(1, *length - 2).toString();
    } else if (text.count(QLatin1Char(':')) > 1) {
        return bad(UrlText::tr("write an IPv6 address in brackets, as in [::1]:6379"));
    } else {
        address.host = (end < 0 ? text : text.left(end)).toString();
        if (address.host.isEmpty())
            return bad(UrlText::tr("the host is missing"));
        if (!isHostName(address.host))
            return bad(UrlText::tr("the host name contains an invalid character"));
    }
    if (end < 0 && port != 0)
        return address;
    const std::optional<int> given = end < 0 ? std::nullopt : digits(text.mid(end + 1), 65535);
    if (!given || *given == 0)
        return bad(UrlText::tr("the port must be a number from 1 to 65535"));
    address.port = quint16(*given);
    return address;
}

Result<JumpHost> jumpHost(QStringView text)
{
    JumpHost jump;
    const qsizetype at = text.lastIndexOf(QLatin1Char('@'));
    if (at >= 0) {
        const QStringView user = text.left(at);
        if (user.contains(QLatin1Char(':')))
            return bad(UrlText::tr("the jump host takes no password: ssh uses your key or agent"));
        const bool plain = std::all_of(user.begin(), user.end(), [](QChar c) {
            return c > QLatin1Char(' ') && c <= QLatin1Char('~') && c != QLatin1Char('@');
        });
        if (user.isEmpty() || !plain || user.startsWith(QLatin1Char('-')))
            return bad(UrlText::tr("the jump host's user name contains an invalid character"));
        jump.user = user.toString();
    }
    const QStringView rest = text.mid(at + 1);
    const bool portGiven = rest.startsWith(QLatin1Char('[')) ? rest.contains(QLatin1String("]:"))
                                                             : rest.contains(QLatin1Char(':'));
    const Result<ServerUrl::Address> host = address(rest, portGiven ? 0 : 22);
    if (!host)
        return tl::unexpected<Error>(host.error());
    if (host->host.startsWith(QLatin1Char('-'))) // ssh would take it for an option
        return bad(UrlText::tr("the host name contains an invalid character"));
    jump.host = host->host;
    jump.port = portGiven ? host->port : 0;
    return jump;
}

} // namespace lk::urltext
