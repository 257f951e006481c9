// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/servers/teamfile.h"

#include "backend/core/names/foreigntext.h"
#include "backend/libraries/families/files/tomlheader.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QStandardPaths>

namespace lk {

namespace {

struct TeamFileText
{
    Q_DECLARE_TR_FUNCTIONS(lk::TeamFile)
};

constexpr qsizetype teamFileLargestFile = 1024 * 1024; // bytes
constexpr size_t teamFileMostServers = 1000;
constexpr qsizetype teamFileLongestText = 200;

class Reader final
{
public:
    explicit Reader(const QString& fileName)
        : m_fileName(fileName)
    {}

    tl::unexpected<Error> refuse(const toml::source_region& at, const QString& what) const
    {
        return failure(ErrorCode::BadConfig,
                       QStringLiteral("%1:%2: %3").arg(m_fileName).arg(at.begin.line).arg(what));
    }

    Result<std::vector<TeamServer>> read(const toml::table& root) const
    {
        std::vector<TeamServer> servers;
        QSet<QString> known;
        for (const auto& [name, node] : root) {
            const toml::array* array = node.as_array();
            if (name != "server")
                return refuse(name.source(), TeamFileText::tr("unknown table; write [[server]]"));
            if (!array || !array->is_homogeneous(toml::node_type::table))
                return refuse(node.source(),
                              TeamFileText::tr("\"server\" is written as [[server]], once "
                                               "for each server"));
            if (array->size() > teamFileMostServers)
                return refuse(node.source(),
                              TeamFileText::tr("more than %1 servers").arg(teamFileMostServers));
            for (const toml::node& entry : *array) {
                Result<TeamServer> server = readServer(*entry.as_table());
                if (!server)
                    return tl::unexpected(server.error());
                const QString key =
                    server->url.withoutPassword() + QLatin1Char('\n') + server->name;
                if (known.contains(key))
                    return refuse(entry.source(),
                                  TeamFileText::tr("this server is already listed"));
                known.insert(key);
                servers.push_back(std::move(*server));
            }
        }
        return servers;
    }

private:
    Result<TeamServer> readServer(const toml::table& table) const
    {
        TeamServer server;
        for (const auto& [name, node] : table) {
            if (name == "password" || name == "sentinel_password")
                return refuse(name.source(), noPassword());
            QString* const place = name == "name"          ? &server.name
                                   : name == "environment" ? &server.environment
                                   : name == "group"       ? &server.group
                                   : name == "config"      ? &server.configFile
                                                           : nullptr;
            if (!place && name != "url")
                return refuse(name.source(),
                              TeamFileText::tr(
                                  "unknown key; known: url, name, environment, group and config"));
            const toml::value<std::string>* text = node.as_string();
            if (!text)
                return refuse(node.source(), TeamFileText::tr("expected a string in quotes"));
            const QString value = QString::fromStdString(text->get());
            if (place) {
                if (value.size() > teamFileLongestText || value != value.simplified())
                    return refuse(node.source(),
                                  TeamFileText::tr("expected one line of at most %1 characters")
                                      .arg(teamFileLongestText));
                *place = foreignText(value);
                continue;
            }
            const Result<ServerUrl> url = parseServerUrl(value);
            if (!url)
                return refuse(
                    node.source(),
                    TeamFileText::tr(
                        "not a server URL; write it as redis://host:6379/0, without a password"));
            if (!url->password.isEmpty() || !url->sentinelPassword.isEmpty())
                return refuse(node.source(), noPassword());
            server.url = *url;
        }
        if (!table.contains("url"))
            return refuse(
                table.source(),
                TeamFileText::tr("\"url\" is missing; write url = \"redis://host:6379/0\""));
        if (!server.configFile.isEmpty())
            server.configFile = QDir::cleanPath(
                QFileInfo(m_fileName).absoluteDir().absoluteFilePath(server.configFile));
        return server;
    }

    static QString noPassword()
    {
        return TeamFileText::tr(
            "a team file holds no password; remove it: each person is asked for their "
            "own, which the keyring can keep");
    }

    QString m_fileName;
};

} // namespace

Result<std::vector<TeamServer>> parseTeamFile(const QByteArray& toml, const QString& fileName)
{
    const Reader reader(fileName);
    const toml::parse_result result =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    if (!result)
        return reader.refuse(
            result.error().source(),
            TeamFileText::tr("this is not valid TOML")); // its text may hold a password
    return reader.read(result.table());
}

Result<std::vector<TeamServer>> loadTeamFile(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::FileError,
                       QStringLiteral("%1: %2").arg(path, file.errorString()));
    const QByteArray text = file.read(teamFileLargestFile + 1);
    if (text.size() > teamFileLargestFile)
        return failure(ErrorCode::FileError, TeamFileText::tr("%1: larger than 1 MiB").arg(path));
    return parseTeamFile(text, path);
}

QString defaultTeamFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/lockkeeper/team.toml");
}

} // namespace lk
