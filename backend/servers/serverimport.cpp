// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/servers/serverimport.h"

#include "backend/core/names/foreigntext.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

namespace lk {

namespace {

struct ServerImportText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerImport)
};

constexpr qsizetype serverImportLargestFile = 4 * 1024 * 1024; // bytes
constexpr int serverImportMostServers = 1000;
constexpr qsizetype serverImportLongestText = 200;

// The first of these that is there; "a.b" is b in a. Each program has names of its own.
QJsonValue field(const QJsonObject& object, std::initializer_list<const char*> names)
{
    for (const char* name : names) {
        QJsonValue value = object;
        const QStringList path = QString(QLatin1String(name)).split(QLatin1Char('.'));
        for (const QString& step : path)
            value = value.toObject().value(step);
        if (!value.isUndefined() && !value.isNull())
            return value;
    }
    return QJsonValue::Undefined;
}

QString text(const QJsonObject& object, std::initializer_list<const char*> names)
{
    return field(object, names).toString().trimmed();
}

// A password is taken as it is, spaces included.
QString secret(const QJsonObject& object, std::initializer_list<const char*> names)
{
    return field(object, names).toString();
}

// Written as a number or as text.
std::optional<int> number(const QJsonValue& value, int ifMissing, int largest)
{
    if (value.isUndefined() || (value.isString() && value.toString().isEmpty()))
        return ifMissing;
    bool ok = true;
    const double n = value.isString() ? value.toString().toDouble(&ok) : value.toDouble(-1);
    if (!ok || n < 0 || n > largest || n != double(int(n)))
        return std::nullopt;
    return int(n);
}

bool isPath(const QString& text)
{
    return !text.isEmpty() && !text.contains(QLatin1String("-----BEGIN")) &&
           !text.contains(QLatin1Char('\n'));
}

/// One program's export, server by server.
class Import final
{
public:
    ServerImport take() { return std::move(m_import); }

    void addLine(const QString& line, int number)
    {
        QString address = line.trimmed();
        for (const char* prefix : {"redis-cli ", "-u "}) {
            if (address.startsWith(QLatin1String(prefix)))
                address = address.mid(qsizetype(qstrlen(prefix))).trimmed();
        }
        if (address.isEmpty() || address.startsWith(QLatin1Char('#')))
            return;
        const Result<ServerUrl> url = parseServerUrl(address);
        if (!url)
            return leaveOut(ServerImportText::tr("Line %1 is not a server URL").arg(number));
        add({*url, {}, {}});
    }

    void addObject(const QJsonObject& object, int place)
    {
        const QString name =
            foreignText(text(object, {"name", "connectionName"})).left(serverImportLongestText);
        const QString called = name.isEmpty() ? ServerImportText::tr("Server %1").arg(place) : name;
        const auto port = number(field(object, {"port"}), ServerUrl::defaultPort, 65535);
        const auto database = number(field(object, {"db"}), 0, 1'000'000);
        ServerUrl url;
        url.host = text(object, {"host"});
        if (url.host.isEmpty() || !port || *port == 0 || !database)
            return leaveOut(ServerImportText::tr("%1 has no valid address").arg(called));
        url.port = quint16(*port);
        url.database = *database;
        url.user = text(object, {"username"});
        url.password = secret(object, {"password", "auth"});
        readTls(object, url, called);
        readDeployment(object, url);
        readJump(object, url, called);
        // Whatever the file holds: what is taken is what this program can write and read again.
        const Result<ServerUrl> again = parseServerUrl(url.withoutPassword());
        ServerUrl bare = url;
        bare.password.clear();
        bare.sentinelPassword.clear();
        if (!again || !(*again == bare))
            return leaveOut(ServerImportText::tr("%1 has no valid address").arg(called));
        add({url, name, {}});
    }

private:
    void leaveOut(const QString& note) { m_import.notes << note; }

    void add(ImportedServer server)
    {
        const QString key = server.url.withoutPassword();
        if (m_known.contains(key))
            return;
        m_known.insert(key);
        m_import.servers.push_back(std::move(server));
    }

    void readTls(const QJsonObject& object, ServerUrl& url, const QString& called)
    {
        const QJsonValue ssl = field(object, {"sslOptions"});
        const QString ca =
            text(object, {"caCert.certificate", "sslOptions.ca", "ssl_ca_cert_path"});
        const QString cert =
            text(object, {"clientCert.certificate", "sslOptions.cert", "ssl_local_cert_path"});
        const QString key =
            text(object, {"clientCert.key", "sslOptions.key", "ssl_private_key_path"});
        if (!field(object, {"tls", "ssl"}).toBool() && !ssl.isObject() && ca.isEmpty() &&
            cert.isEmpty())
            return;
        url.scheme = ServerUrl::Scheme::Tls;
        url.serverName = text(object, {"tlsServername", "sslOptions.servername"});
        bool leftOut = false;
        const auto take = [&](const QString& from, QString& to) {
            if (isPath(from))
                to = from;
            else
                leftOut = leftOut || !from.isEmpty();
        };
        take(ca, url.caFile);
        take(cert, url.certFile);
        if (!url.certFile.isEmpty())
            take(key, url.keyFile);
        else
            leftOut = leftOut || !key.isEmpty();
        if (leftOut)
            leaveOut(ServerImportText::tr(
                         "%1: the certificates in the file were left out; choose certificate "
                         "files in the dialog")
                         .arg(called));
    }

    static void readDeployment(const QJsonObject& object, ServerUrl& url)
    {
        const QString type = text(object, {"connectionType", "type"}).toUpper();
        const QString master = text(
            object, {"sentinelMaster.name", "sentinelOptions.masterName", "sentinelOptions.name"});
        if (type == QLatin1String("CLUSTER") || field(object, {"cluster"}).toBool()) {
            url.deployment = ServerUrl::Deployment::Cluster;
            url.database = 0;
        } else if (!master.isEmpty()) {
            // The address and the login are the Sentinel's then; the servers have their own.
            url.deployment = ServerUrl::Deployment::Sentinel;
            url.masterName = master;
            url.sentinelUser = std::exchange(url.user, text(object, {"sentinelMaster.username"}));
            url.sentinelPassword = std::exchange(
                url.password,
                secret(object, {"sentinelMaster.password", "sentinelOptions.nodePassword"}));
        }
    }

    void readJump(const QJsonObject& object, ServerUrl& url, const QString& called)
    {
        const QString host = text(object, {"sshOptions.host", "ssh_host", "sshHost"});
        if (host.isEmpty())
            return;
        const QString user = text(object, {"sshOptions.username", "ssh_user", "sshUser"});
        const auto port =
            number(field(object, {"sshOptions.port", "ssh_port", "sshPort"}), 22, 65535);
        url.sshJump = (user.isEmpty() ? QString() : user + QLatin1Char('@')) + host;
        if (port && *port != 22)
            url.sshJump += QStringLiteral(":%1").arg(*port);
        leaveOut(
            ServerImportText::tr(
                "%1: ssh uses your own keys and configuration; those in the file were left out")
                .arg(called));
    }

    ServerImport m_import;
    QSet<QString> m_known;
};

Result<ServerImport> importJson(const QJsonDocument& document)
{
    const QJsonArray all = document.isArray() ? document.array() : QJsonArray{document.object()};
    if (all.size() > serverImportMostServers)
        return failure(
            ErrorCode::BadArgument,
            ServerImportText::tr("The file has more than %1 servers").arg(serverImportMostServers));
    Import import;
    int place = 0;
    for (const QJsonValue& entry : all)
        import.addObject(entry.toObject(), ++place);
    return import.take();
}

Result<ServerImport> importLines(const QByteArray& content)
{
    const QByteArrayList lines = content.split('\n');
    if (lines.size() > serverImportMostServers)
        return failure(
            ErrorCode::BadArgument,
            ServerImportText::tr("The file has more than %1 servers").arg(serverImportMostServers));
    Import import;
    int number = 0;
    for (const QByteArray& line : lines)
        import.addLine(QString::fromUtf8(line), ++number);
    return import.take();
}

} // namespace

Result<ServerImport> importServers(const QByteArray& content)
{
    if (content.size() > serverImportLargestFile)
        return failure(ErrorCode::BadArgument,
                       ServerImportText::tr("The file is larger than 4 MiB"));
    QByteArray plain = content.trimmed();
    if (plain.startsWith("\xef\xbb\xbf"))
        plain = plain.mid(3).trimmed();
    QJsonDocument document = QJsonDocument::fromJson(plain);
    if (document.isNull()) {
        const auto decoded =
            QByteArray::fromBase64Encoding(plain, QByteArray::AbortOnBase64DecodingErrors);
        if (decoded)
            document = QJsonDocument::fromJson(*decoded);
    }
    Result<ServerImport> import = document.isNull() ? importLines(plain) : importJson(document);
    if (import && import->servers.empty())
        return failure(ErrorCode::BadArgument,
                       ServerImportText::tr(
                           "No servers found: the file has neither URLs, one per line, nor an "
                           "export from RedisInsight or Another Redis Desktop Manager"));
    return import;
}

} // namespace lk
