// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lookalikes.h"

#include "tests/support/respclient.h"

#include <QRegularExpression>

namespace lk::test {

namespace {

// "# title", then the commands of its keys; ' is the quotation mark of JSON. <s>, <ms>, <us> stand
// for the time in that unit, <ms-5000> for five seconds before it: the offset is always in
// milliseconds.
constexpr auto lookAlikeKeys = R"(
# chat rooms that expire
ZADD chat:room:1 <ms-60000> msg:8812 <ms-5000> msg:8813
EXPIRE chat:room:1 3600
ZADD chat:room:2 <ms-61000> 1795223350020:hello <ms-7000> 62556984-2963-4021-a640-1f556ae9948d
EXPIRE chat:room:2 3600
ZADD chat:dm:17:42 <ms-7000> <ms-7000>
EXPIRE chat:dm:17:42 3600
# audit trails
ZADD audit:user:17 <ms-60000> login-8f3a9b21 <ms-5000> logout-9c1d5b7a
EXPIRE audit:user:17 86400
ZADD audit:order:42 <ms-5000> <ms-5000>
EXPIRE audit:order:42 86400
ZADD audit:2026-11-22 <s-5000> 62556984-2963-4021-a640-1f556ae9948d
EXPIRE audit:2026-11-22 86400
# samples of metrics
ZADD metrics:cpu:web-1 <ms-20000> <ms-20000>:0.93 <ms-10000> <ms-10000>:0.87
EXPIRE metrics:cpu:web-1 600
ZADD metrics:cpu:web-2 <s-20000> <s-20000> <s-10000> <s-10000>
EXPIRE metrics:cpu:web-2 600
ZADD metrics:latency:api <ms-10000> 9c1d5b7a20e4f86b
EXPIRE metrics:latency:api 600
# recent requests
ZADD requests:recent:api <ms-60000> 62556984-2963-4021-a640-1f556ae9948d
EXPIRE requests:recent:api 600
ZADD requests:recent:web <ms-1000> <ms-1000>-8f3a9b21
EXPIRE requests:recent:web 600
ZADD requests:recent:slow <ms-1000> <ms-1000>
EXPIRE requests:recent:slow 600
# sensor readings
ZADD sensor:temp:7 <ms-20000> <ms-20000>:21.5 <ms-10000> <ms-10000>:21.6
EXPIRE sensor:temp:7 86400
ZADD sensor:limit:7 <ms-20000> <ms-20000>:40.5
EXPIRE sensor:limit:7 86400
# price histories
ZADD rates:history:EURUSD <ms-20000> <ms-20000>:1.0832 <ms-10000> <ms-10000>:1.0835
EXPIRE rates:history:EURUSD 86400
ZADD ticks:BTC <ms-2000> <ms-2000>:97123.5
EXPIRE ticks:BTC 86400
# measurements of small numbers
ZADD heart_rate:5 <s-60000> 71 <s-2000> 73
ZADD rate:requests <s-60000> 171 <s-2000> 173
ZADD rl:audit <s-60000> 991 <s-2000> 992
ZADD window:sales <s-60000> 100 <s-2000> 200
# who used an invitation
HSET invite:Zx81kQpL77 used_by 5123 created_by 17
HSET voucher:ABCD1234EF used_by 42 amount 10
HSET user:token:5 token abc used_by joe
# a limit itself
SET app:rate_limit 100
SET worker:throttle 5
# who is online
ZADD users:online <s-3000> 101 <s-2000> 10200 <s> 30333
ZADD presence:room:7 <ms-3000> 62556984-2963-4021-a640-1f556ae9948d
EXPIRE presence:room:7 60
ZADD online:limit:eu <s-3000> 101 <s-2000> 10200 <s-1000> 30333
# feeds and timelines
ZADD feed:17 <s-3000> post:4411 <s-2000> post:4412
ZADD timeline:17 <ms-3000> 179522335002012345 <ms-2000> 179522335002012399
EXPIRE timeline:17 86400
# last seen
ZADD seen:devices <s-86400000> a1b2c3d4e5f6 <s-3000> b1b2c3d4e5f6
SET seen:user:17 <s-3000>
SET last_login:17 <ms-3000>
# trending and leader boards
ZADD leaderboard 1000000 parzival 900000 art3mis
ZADD leader:board:daily 120 alice 80 bob
SET leader:board:weekly alice EX 3600
SET leader:board:page:1 8f3a9b21c4 EX 60
# places
GEOADD geo:cities 13.4 52.5 Berlin 135.7 35.0 Kyoto
GEOADD drivers:locations 13.4 52.5 8f3a9b21 13.5 52.6 9c1d5b7a
# completion
ZADD autocomplete:names 0 a 0 al 0 ali 0 alice*
ZADD search:limit:terms 0 lock 0 locksmith
# odds and grades
ZADD odds:match:42 1.9 home 3.4 draw 4.2 away
ZADD ratings:movie 4.5 8f3a9b21 3.9 9c1d5b7a
# schedules to come
ZADD reminders <ms+60000> call-bob <ms+120000> call-eve
ZADD calendar:17 <s+3600000> standup
# settings of locks
SET lock:timeout:orders 30
SET lock:timeout:invoices 30 EX 600
SET lock:ttl:default 30000
SET lock:max_wait 5
SET lock:retry:delay 200
# versions for optimistic locking
SET order:42:lock_version 7
SET order:43:lock_version 12 EX 3600
SET invoice:lock:version 3
# facts about locks
SET lock:count 3
SET lock:stats:acquired 1201
SET lock:history:last <s-60000>
SET account:17:locked_until <s+600000>
SET order:42:locked_at <ms-5000>
# accounts and doors that are locked
SET account:17:locked 1
SET account:18:lock 1 EX 900
SET door:lock:front closed EX 60
SET smart:lock:42:firmware ef1f63c EX 3600
SET user:17:lockscreen wallpaper-3
# words that contain lock
SET clock:offset 12 EX 60
SET block:812345 0a1b2c3d4e5f EX 600
SET unlock:level:17 4
SET blocks:latest 812345 EX 30
SET stock:BLOCK 71.2 EX 60
SET flock:birds 12 EX 60
# traces
SET trace:62556984-2963-4021-a640-1f556ae9948d ef1f63c0a1b2c3d4 EX 300
SET trace:9c1d5b7a-2963-4021-a640-1f556ae9948d 62556984-2963-4021-a640-1f556ae9948d EX 60
SET trace:0a1b2c3d-2963-4021-a640-1f556ae9948d web-1:4242 EX 60
# ids of requests and carts
SET request:17:correlation 62556984-2963-4021-a640-1f556ae9948d EX 60
SET cart:17:id 9c1d5b7a20e4f86b3d19aabbccddeeff EX 600
SET visitor:17 ABCDEFGHabcdefgh12345678 EX 1800
# hashes of files and releases
SET deploy:web:release ef1f63c EX 600
SET asset:app.js 9c1d5b7a20e4f86b EX 600
SET build:current 0a1b2c3d EX 600
SET file:42:checksum 9c1d5b7a20e4f86b3d19aabbccddeeff EX 600
# addresses of services
SET service:mail:instance mail-1:8080 EX 30
SET upstream:checkout 10.0.0.17:8080 EX 30
SET node:7:address web-1:4242 EX 30
# heartbeats
SET heartbeat:web-1 <s-1000> EX 30
SET heartbeat:web-2 web-2:4242 EX 30
SET worker:7:alive 1 EX 30
# feature flags
SET feature:gate:new-checkout 1 EX 3600
SET flag:limit-orders 1
SET feature:throttle:enabled 1
# gates of airports
SET airport:gate:17 22 EX 3600
SET gate:LH123 22 EX 3600
SET flight:gate:441 7 EX 600
# exchange rates
SET rate:EUR:USD 1.0832 EX 60
SET rate:usd:jpy 149 EX 60
SET exchange:rate:17 149 EX 60
SET fx:rates:20261122 107 EX 3600
# other rates
SET heart:rate:17 72 EX 60
SET tax:rate:17 19 EX 3600
SET conversion:rate:42 3 EX 3600
SET shipping:rate:10115 5 EX 3600
SET frame_rate:42 60 EX 10
# limits of money
SET credit:limit:17 5000 EX 600
SET order:limit:42 100 EX 600
SET withdrawal:limit:17 1000
SET spending:limit:17 250 EX 86400
# limits in settings
SET settings:limit 100
SET ratelimit:config:api 100
SET plan:free:limit 1000 EX 3600
SET upload:limit:17 52428800 EX 600
SET max:requests 100
# page views and hits
SET page:views:17 1200
SET page:hits:17 33 EX 3600
SET hits:2026-11-22 1801 EX 172800
SET views:article:42 18 EX 3600
# numbers of statistics
SET stats:requests:17 1801 EX 3600
SET requests:total:17 1801 EX 3600
SET calls:daily:17 12 EX 86400
SET errors:rate:17 3 EX 60
# tries of jobs and deliveries
SET job:42:attempts 3 EX 3600
SET webhook:8f3a9b:attempts 2 EX 3600
SET retry:attempts 5
# sales of tickets
SET tickets:sold:42 1801
SET ticket:price:42 89 EX 3600
SET ticket:100234 {'seat':'A12'} EX 3600
HSET ticket:100235 seat A13 used 0
# windows of houses and times
SET window:office:17 open EX 60
SET maintenance:window 2026-11-22T03:00 EX 3600
SET window:size 4096
# postal codes
SET code:postal:10115 Berlin
SET code:postal:1010 Wien EX 3600
SET postal_code:90210 "Beverly Hills" EX 86400
SET zip:code:10115 Berlin EX 86400
# codes of countries, errors and goods
SET country:code:49 DE EX 86400
SET error:code:500 12 EX 3600
SET product:code:8f3a9b21 {'sku':1} EX 600
SET qr:code:8f3a9b21 PNG EX 600
# codes of promotions
SET promo:code:SUMMER24 20 EX 86400
SET promo:X7K2P9QA 10
SET discount:code:8f3a9b21 15 EX 86400
HSET promo:code:8f3a9b21 percent 15 used 17 max 100
HSET coupon:7 used 1
# prices of tokens
SET token:price:ETH 3121.22 EX 30
SET token:price:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 1.0001 EX 30
SET token:supply:USDC 25000000000 EX 600
SET token:metadata:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 {'symbol':'USDC'} EX 600
SET coin:ticker:BTC 97123 EX 30
# tokens that are kept
SET api:token:9c1d5b7a20e4f86b3d19 17
SET refresh_token:62556984-2963-4021-a640-1f556ae9948d 17 EX 2592000
SET access_token:9c1d5b7a20e4f86b3d19 17 EX 3600
SET device:token:17 9c1d5b7a20e4f86b3d19aabbccddeeff
SET apikey:9c1d5b7a20e4f86b3d19 {'owner':17}
# invitations stored for good
SET invite:X7pQ2rLm "team 4"
SET invite:9c1d5b7a20e4 17
SET invitation:100234 {'team':4}
# confirmations and checks
SET verify:kyc:17 pending EX 600
SET reset:counter:daily 3 EX 600
SET confirm:order:42 yes EX 600
SET verification:score:17 88 EX 600
# texts and telephones
SET sms:sent:4915112345678 2 EX 3600
SET sms:template:welcome "Your code is %s"
SET phone:17 +4915112345678
SET phone:area:30 Berlin EX 600
# what was used or revoked
SET jti:9c1d5b7a20e4f86b3d19 1 EX 600
SET nonce:8f3a9b 1 EX 600
SET token:blacklist:8f3a9b21 1 EX 600
SET token:revoked:9c1d5b7a20e4 1 EX 600
# counts of models' tokens
SET llm:tokens:17 15231 EX 3600
SET tokens:used:17 900 EX 3600
HSET conversation:17 tokens 1523 updated_at <s-1000>
EXPIRE conversation:17 3600
HSET usage:llm:17 tokens 1523 updated_at <s-1000> model large
# histories of queues
RPUSH queue:length:history 12 14 9 17
RPUSH queue:length:history:mail 1 0 3
RPUSH queue:wait:samples 120 98
# finished jobs
RPUSH jobs:completed 8812 8813 8814
RPUSH jobs:completed:2026-11-22 {'id':1,'ms':12}
RPUSH jobs:done 8f3a9b21 9c1d5b7a
RPUSH task:42:log "started" "finished"
# inboxes of users
LPUSH inbox:user:17 {'from':'bob','text':'hi'}
LPUSH inbox:user:42 {'from':'eve','text':'ho'} {'from':'bob','text':'hi'}
LPUSH user:17:inbox msg:1 msg:2
LPUSH mailbox:17 "Hello Bob"
# to-do lists and vacancies
RPUSH tasks:user:17 "buy milk" "call eve"
RPUSH todo:17 milk bread
RPUSH jobs:berlin {'title':'Engineer','company':'ACME'}
RPUSH jobs:recommended:17 4411 4412
# lists to be played
RPUSH music:queue:room1 track:1 track:2
RPUSH play:queue:17 video:4411
RPUSH watch_queue:17 4411 4412
# lists beside lists
RPUSH users alice bob eve
RPUSH users:active alice
RPUSH products 1 2 3
RPUSH products:failed 3
RPUSH builds 4411 4412
RPUSH builds:pending 4412
# histories of builds
LPUSH build:queue:history {'build':4411,'ok':true}
LPUSH builds:recent 4411 4412
LPUSH ci:jobs:history 4411
# words of states
SET order:42:processing 1 EX 600
SET export:17:status processing EX 600
SET job:42:status queued EX 600
HSET job:42 status processing progress 40
# groups of workers and waiting people
SADD workers web-1 web-2
SADD queue:names mail thumbs
SADD event:17:attendees alice bob
SADD waiting:list:42 alice bob
SADD events:pending:approval 17 18
# sessions
SET session:9c1d5b7a20e4f86b3d19 {'user':17} EX 1800
SET sess:9c1d5b7a20e4f86b3d19 62556984-2963-4021-a640-1f556ae9948d EX 1800
HSET spring:session:sessions:62556984-2963-4021-a640-1f556ae9948d creationTime <ms-5000> maxInactiveInterval 1800
SET :1:django.contrib.sessions.cacheabcdef0123456789 binary EX 1800
# carts and profiles
HSET cart:17 sku:1 2 sku:7 1
EXPIRE cart:17 86400
HSET user:17:profile name Bob rate 3 type 0
HSET device:42 name printer used_by alice
HSET seat:17 used_by 42 row A price 12
# loans and tariffs
HSET loan:17 rate 3 interval 12 type 0
HSET tariff:basic rate 30 interval 60 type 2
HSET sensor:17 value 3 interval 60000
# a hash and a number beside it
HSET meter unit kWh site berlin
SET {meter}:value 17
# caches
SET cache:page:/home <html> EX 60
SET cache:user:17:v3 {'name':'Bob'} EX 60
SET cache:lock:table {'rows':3} EX 60
SET cache:rate:17 {'rate':3} EX 60
SET v2:catalog:limit:17 {'items':[]} EX 60
# counts of distinct visitors
PFADD visitors:2026-11-22 alice bob
PFADD limit:visitors:17 alice bob
# filters and pictures
SETRANGE bloom:seen:2026-11-22 0 \x01\x80\x00\x10
SET avatar:17 \x89PNG\x00\x00
SET users:export:2026-11-22 \x82\xa2id\x11\xa4name\xa6Parzival EX 600
# events in streams
XADD events:orders * id 42
XADD rate:limit:log * id 42
# last runs
SET cron:cleanup:last <s-3000>
SET sync:orders:timestamp <s-60000>
SET report:last_run <ms-60000>
SET schedule:next <s+60000>
# leases of flats and cars
SET lease:42:contract 9c1d5b7a20e4f86b EX 600
SET lease:car:17 {'km':10000} EX 600
SET exclusive:offers:17 8f3a9b21c4 EX 600
# rotation of keys and crops
RPUSH key:rotation:history 2026-01 2026-02
RPUSH crop:rotation:field7 wheat
EXPIRE crop:rotation:field7 600
# leases of addresses
SET dhcp:lease:10.0.0.17 9c1d5b7a20e4 EX 600
SET ip:17:lease 9c1d5b7a20e4 EX 600
# things that are rented or ridden
SET hotel:rate:42 120 EX 600
SET user:17:rate 15 EX 3600
SET bike:lock:42 ef1f63c0a1
SET package:lock 9c1d5b7a20e4f86b3d19
# what users asked and are allowed
SET user:17:requests 3 EX 600
SET user:17:limit 100 EX 3600
SET user:17:friend_requests 3 EX 600
SET rl:model:step 1200
# results of checks
SET email:verification:17 pending EX 600
SET page:token:9c1d5b7a20e4f86b {'offset':20} EX 600
SET verify:user:42 1 EX 600
# names of what the value is
SET deviceid 9c1d5b7a20e4f86b EX 600
SET gitsha ef1f63c EX 600
# dates
ZADD birthdays 1500000000 1500000000 1600000000 1600000000
ZADD milestones 1700000000000 1700000000000
# lists of a queue's properties
RPUSH queue:priorities high low
RPUSH queue:types mail sms
# bare cursors
SET feed:cursor 9c1d5b7a20e4 EX 600
SET state:17 8f3a9b21 EX 600
SET fingerprint 9c1d5b7a20e4f86b EX 600
)";

constexpr auto inconspicuousKeys = R"(
# string-token
SET pwreset:9c1d5b7a20e4f86b3d19aabbccddeeff 17 EX 3600
SET pwreset:bob@example.org 9c1d5b7a20e4f86b EX 3600
SET password_reset:17 X7pQ2rLm81kTz0aQ EX 1800
SET csrf:9c1d5b7a20e4f86b3d19 1 EX 3600
SET csrf:user:17 62556984-2963-4021-a640-1f556ae9948d EX 3600
SET csrf:sess-a X7pQ2rLm81kTz0aQwE5r EX 3600
SET oauth:state:9c1d5b7a20e4f86b3d19 {'redirect':'/home'} EX 600
SET oauth2:state:X7pQ2rLm81kTz0aQwE5r /home EX 600
SET otp:+4915112345678 482913 EX 300
SET otp:4915112345678 0042 EX 300
SET sms:+4915112345678 482913 EX 300
SET verify:phone:+4915112345678 482913 EX 300
SET login:code:bob@example.org 482913 EX 600
SET 2fa:17 482913 EX 300
SET email:verify:9c1d5b7a20e4f86b3d19 17 EX 86400
SET magiclink:X7pQ2rLm81kTz0aQwE5r bob@example.org EX 900
SET code:c17bd6 {'act_id':'1234'} EX 3600
# set-nx-px
SET myresource ef1f63c PX 600000
SET lock:order:42 1 EX 30
SET lock:config:reload web-1:4242 EX 30
SET order:42:lock 62556984-2963-4021-a640-1f556ae9948d PX 30000
SET cron-leader web-1:4242 EX 30
# fixed-window
SET rate:1.2.3.4 3 EX 60
SET login:attempts:bob 3 EX 900
SET ratelimit:api:17 12 EX 60
SET api:rate_limit:bob@example.org 12 EX 60
# token-bucket
HSET bucket:api:17 tokens 4.5 last_refill <s-1000>
HSET user:17:bucket tokens 7 capacity 10 refill_rate 1 timestamp <ms-2000>
HSET throttle:17 tokens 3 ts <s-1000>
EXPIRE throttle:17 60
HSET 10.0.0.7 tokens 3.2 updated_at <s-1000>
# rolling-window
ZADD signups-per-minute <ms-3000> <ms-3000> <ms-1000> <ms-1000>
ZADD ratelimit:chat:17 <ms-3000> 8f3a9b21 <ms-1000> 9c1d5b7a
EXPIRE ratelimit:chat:17 60
)";

QByteArray dated(const QByteArray& line, qint64 nowMs)
{
    static const QRegularExpression time(QStringLiteral("<(s|ms|us)([+-]\\d+)?>"));
    QString text = QString::fromLatin1(line).replace(u'\'', QStringLiteral("\\x22"));
    for (QRegularExpressionMatch m = time.match(text); m.hasMatch(); m = time.match(text)) {
        const qint64 ms = nowMs + m.captured(2).toLongLong();
        const QString unit = m.captured(1);
        const qint64 value = unit == u"s" ? ms / 1000 : unit == u"us" ? ms * 1000 : ms;
        text.replace(m.capturedStart(), m.capturedLength(), QString::number(value));
    }
    return text.toLatin1();
}

std::vector<KeyKind> kindsOf(const char* text, qint64 nowMs)
{
    std::vector<KeyKind> kinds;
    for (const QByteArray& line : QByteArray(text).split('\n')) {
        if (line.startsWith("# ")) {
            kinds.push_back({line.mid(2), {}, {}});
        } else if (!line.isEmpty()) {
            KeyKind& kind = kinds.back();
            kind.commands.push_back(parseCommand(dated(line, nowMs)));
            const QByteArray& key = kind.commands.back().args()[1];
            if (!kind.keys.contains(key))
                kind.keys << key;
        }
    }
    return kinds;
}

} // namespace

std::vector<KeyKind> lookAlikes(qint64 nowMs)
{
    return kindsOf(lookAlikeKeys, nowMs);
}

std::vector<KeyKind> inconspicuous(qint64 nowMs)
{
    return kindsOf(inconspicuousKeys, nowMs);
}

} // namespace lk::test
