// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/demo.h"

#include "backend/config/config.h"
#include "backend/demo/demoserver.h"
#include "backend/demo/demotraffic.h"
#include "backend/session/endthread.h"

#include <QFile>

namespace lk {

namespace {

const QString configResource = QStringLiteral(":/demo/demo.toml");

Config demoConfig()
{
    QFile file(configResource);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return parseConfig(file.readAll(), file.fileName()).value_or(Config());
}

} // namespace

Demo::Demo()
    : m_server(std::make_unique<DemoServer>())
{
    m_thread.setObjectName(QStringLiteral("demo traffic"));
    connect(m_server.get(), &DemoServer::ready, this, &Demo::startTraffic);
    connect(m_server.get(), &DemoServer::failed, this, &Demo::failed);
}

Demo::~Demo()
{
    endThread(m_thread);
}

void Demo::start()
{
    m_server->start();
}

void Demo::startTraffic()
{
    m_traffic = std::make_unique<DemoTraffic>(m_server->url());
    m_traffic->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, m_traffic.get(), &DemoTraffic::start);
    m_thread.start();
    emit ready();
}

Session::Setup Demo::setup() const
{
    Session::Setup setup;
    setup.url = m_server->url();
    setup.name = tr("Demo");
    setup.environment = tr("demo");
    setup.config = demoConfig();
    // What is tried out there goes with it and is never mixed with what was done in earnest.
    const QString folder = m_server->folder();
    setup.configFile = folder + QStringLiteral("/lockkeeper.toml");
    QFile::copy(configResource, setup.configFile);
    QFile::setPermissions(setup.configFile, QFile::ReadOwner | QFile::WriteOwner);
    setup.actionFiles = {folder + QStringLiteral("/journal.jsonl"),
                         folder + QStringLiteral("/undo")};
    return setup;
}

} // namespace lk
