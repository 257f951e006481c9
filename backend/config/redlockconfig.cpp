// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/redlockconfig.h"

#include "backend/config/tomlfields.h"
#include "backend/text/errortext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lk {

namespace {

struct RedlockConfigText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

// With two servers the quorum is both, so the loss of one ends all locks.
constexpr size_t fewest = 3;

tl::unexpected<ConfigRefusal> redlockConfigRefuse(const toml::source_region& at, QString what)
{
    return tl::unexpected(ConfigRefusal{at, std::move(what)});
}

tl::expected<std::vector<ServerUrl>, ConfigRefusal> readServers(const toml::node& node)
{
    std::vector<ServerUrl> servers;
    const toml::array* array = node.as_array();
    if (!array || array->size() < fewest)
        return redlockConfigRefuse(
            node.source(),
            RedlockConfigText::tr("\"servers\" must be the URLs of three servers or more, as in "
                                  "[\"redis://10.0.0.1\", \"redis://10.0.0.2\", "
                                  "\"redis://10.0.0.3\"]"));
    for (const toml::node& each : *array) {
        const toml::value<std::string>* text = each.as_string();
        if (!text)
            return redlockConfigRefuse(each.source(),
                                       RedlockConfigText::tr("\"servers\" must be URLs in quotes"));
        const Result<ServerUrl> url = parseServerUrl(QString::fromStdString(text->get()));
        if (!url)
            return redlockConfigRefuse(each.source(), errorText(url.error()));
        if (url->deployment == ServerUrl::Deployment::Sentinel ||
            url->deployment == ServerUrl::Deployment::Cluster)
            return redlockConfigRefuse(
                each.source(), RedlockConfigText::tr("the servers of a Redlock are independent "
                                                     "masters: redis://, rediss:// or unix://"));
        if (std::find(servers.begin(), servers.end(), *url) != servers.end())
            return redlockConfigRefuse(
                each.source(), RedlockConfigText::tr("%1 is listed twice").arg(url->endpoint()));
        servers.push_back(*url);
    }
    return servers;
}

tl::expected<RedlockGroup, ConfigRefusal> readGroup(const toml::table& table)
{
    TomlFields fields(table, {QStringLiteral("match"), QStringLiteral("servers")});
    RedlockGroup group;
    group.line = int(table.source().begin.line);
    const toml::node* match = table.get("match");
    const auto* text = match ? match->as_string() : nullptr;
    if (!match)
        fields.refuse("match", RedlockConfigText::tr("\"match\" is missing; write match = "
                                                     "\"lock:*\", a pattern over the names of "
                                                     "the locks"));
    else if (!text || text->get().empty())
        fields.refuse("match",
                      RedlockConfigText::tr("\"match\" must be a pattern in quotes, such as "
                                            "\"lock:*\""));
    if (!fields.has("servers"))
        fields.refuse("servers",
                      RedlockConfigText::tr("\"servers\" is missing: the URLs of the servers "
                                            "that hold these locks together"));
    if (fields.refusal())
        return tl::unexpected(*fields.refusal());
    auto servers = readServers(*table.get("servers"));
    if (!servers)
        return tl::unexpected(servers.error());
    group.match = QByteArray::fromStdString(text->get());
    group.servers = std::move(*servers);
    return group;
}

} // namespace

tl::expected<std::vector<RedlockGroup>, ConfigRefusal> readRedlocks(const toml::node& node)
{
    const toml::array* array = node.as_array();
    if (!array || !array->is_homogeneous(toml::node_type::table))
        return redlockConfigRefuse(
            node.source(), RedlockConfigText::tr("\"redlock\" is written as [[redlock]], once for "
                                                 "each group of servers"));
    std::vector<RedlockGroup> groups;
    for (const toml::node& entry : *array) {
        auto group = readGroup(*entry.as_table());
        if (!group)
            return tl::unexpected(group.error());
        groups.push_back(std::move(*group));
    }
    return groups;
}

} // namespace lk
