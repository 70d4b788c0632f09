use super::*;

#[tokio::test]
async fn it_listens_and_stops() {
    let gateway = DemoGateway::start(DemoSettings::default()).await.unwrap();
    let address = gateway.address;
    assert!(address.ip().is_loopback());
    TcpStream::connect(address).await.unwrap();
    drop(gateway);
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}
