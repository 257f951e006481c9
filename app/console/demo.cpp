// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/demo.h"

#include "backend/config/config.h"
#include "backend/demo/clients/demonames.h"
#include "backend/demo/demotraffic.h"
#include "backend/demo/servers/democluster.h"
#include "backend/demo/servers/demoserver.h"
#include "backend/session/endthread.h"

#include <QFile>

namespace lk {

namespace {

const QString configName = QStringLiteral("lockkeeper.toml");

} // namespace

Demo::Demo(Size size)
{
    m_thread.setObjectName(QStringLiteral("demo traffic"));
    if (size == Size::Cluster) {
        m_cluster = std::make_unique<DemoCluster>();
        connect(m_cluster.get(), &DemoCluster::ready, this, &Demo::startTraffic);
        connect(m_cluster.get(), &DemoCluster::failed, this, &Demo::failed);
    } else {
        m_server = std::make_unique<DemoServer>();
        connect(m_server.get(), &DemoServer::ready, this, &Demo::startTraffic);
        connect(m_server.get(), &DemoServer::failed, this, &Demo::failed);
    }
}

Demo::~Demo()
{
    endThread(m_thread);
}

void Demo::start()
{
    if (m_cluster)
        m_cluster->start();
    else
        m_server->start();
}

ServerUrl Demo::url() const
{
    return m_cluster ? m_cluster->url() : m_server->url();
}

void Demo::startTraffic()
{
    m_traffic = std::make_unique<DemoTraffic>(url());
    m_traffic->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, m_traffic.get(), &DemoTraffic::start);
    m_thread.start();
    emit ready();
}

Session::Setup Demo::setup() const
{
    Session::Setup setup;
    setup.url = url();
    setup.name = m_cluster ? tr("Demo cluster") : tr("Demo");
    setup.environment = tr("demo");
    const QByteArray toml = demoToml(m_cluster != nullptr);
    setup.config = parseConfig(toml, configName).value_or(Config());
    // The demo's files are removed with it and never mix with those of real deployments.
    const QString folder = m_cluster ? m_cluster->folder() : m_server->folder();
    setup.configFile = folder + QLatin1Char('/') + configName;
    if (QFile file(setup.configFile); file.open(QIODevice::WriteOnly)) {
        file.write(toml);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    }
    setup.actionFiles = {folder + QStringLiteral("/journal.jsonl"),
                         folder + QStringLiteral("/undo")};
    setup.alertFile = folder + QStringLiteral("/alerts.db");
    return setup;
}

} // namespace lk
